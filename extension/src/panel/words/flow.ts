// The words of workflows.

import type { FlowState, NodeState } from "../../gen/wire";
import { lang } from "../i18n";

const en = {
  workflow: "Workflow",
  graph: (done: number, all: number) => `Graph of the workflow: ${done} of ${all} parts done`,
  parts: "Parts of the workflow",
  progress: (done: number, all: number) => `${done} of ${all}`,
  states: {
    running: "running", paused: "paused", done: "done", failed: "failed", cancelled: "stopped", interrupted: "interrupted",
  } as Record<FlowState, string>,
  nodes: { waiting: "waiting", running: "running", done: "done", failed: "failed", skipped: "skipped" } as Record<NodeState, string>,
  asks: "waits for you",
  needs: (ids: string) => `after ${ids}`,
  open: (id: string) => `Show what ${id} does`,
  change: "Change it: “also compare delivery times”",
  changeLabel: "Change the workflow in a sentence",
  changeIt: "Change",
  pause: "Pause",
  resume: "Resume",
  stop: "Stop",
  save: "Save as a file",
  close: "Close",
  saveTask: "Save as a workflow",
};

const zh: typeof en = {
  workflow: "工作流",
  graph: (done, all) => `工作流图：${all} 个部分中已完成 ${done} 个`,
  parts: "工作流的各个部分",
  progress: (done, all) => `${done} / ${all}`,
  states: { running: "运行中", paused: "已暂停", done: "已完成", failed: "失败", cancelled: "已停止", interrupted: "已中断" },
  nodes: { waiting: "等待", running: "运行中", done: "完成", failed: "失败", skipped: "跳过" },
  asks: "等待您的回答",
  needs: (ids) => `在 ${ids} 之后`,
  open: (id) => `查看 ${id} 的进展`,
  change: "修改：“再比较一下送货时间”",
  changeLabel: "用一句话修改工作流",
  changeIt: "修改",
  pause: "暂停",
  resume: "继续",
  stop: "停止",
  save: "保存为文件",
  close: "关闭",
  saveTask: "保存为工作流",
};

export const w = lang === "zh" ? zh : en;
