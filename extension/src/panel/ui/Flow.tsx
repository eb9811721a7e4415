// A workflow: its graph, the same as a list for keyboard and screen reader, and
// its controls.

import { useState } from "preact/hooks";
import type { FlowNode } from "../../gen/wire";
import "../css/flow.css";
import * as flow from "../flow";
import { BOX, WIDTH, layout } from "../graph";
import * as store from "../store";
import { w } from "../words/flow";
import { Check, Chevron, Cross, Dash, Dots, Pause, Play, Question, Square } from "./icons";
import { Refusal } from "./Refusal";
import { Keep } from "./Workflows";

export function Flow() {
  const f = flow.flow.value;
  if (!f) return null;
  const done = f.nodes.filter((n) => n.state === "done").length;
  return (
    <section class="flow" data-testid="flow" data-state={f.state} aria-label={w.workflow}>
      <details open>
        <summary>
          <b>{f.title}</b>
          <span class={`flow-state ${f.state}`}>{flow.fresh(f) ? w.notBegun : w.states[f.state]}</span>
          <span class="flow-count">{w.progress(done, f.nodes.length)}</span>
        </summary>
        <div class="flow-body">
          <Graph f={f} done={done} />
          {f.error && <div class="flow-error" role="alert"><Refusal error={f.error} /></div>}
          {flow.fresh(f) && <p class="flow-note" role="status">{w.beginNote}</p>}
          <Controls f={f} />
          <List f={f} />
        </div>
      </details>
    </section>
  );
}

function Graph({ f, done }: { f: flow.Shown; done: number }) {
  const { spots, height } = layout(f.nodes);
  const at = new Map(spots.map((s) => [s.node.id, s]));
  return (
    <svg class="graph" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={w.graph(done, f.nodes.length)}>
      {spots.flatMap((s) => (s.node.needs ?? []).map((id) => {
        const from = at.get(id);
        if (!from) return null;
        const x1 = from.x + from.width / 2, y1 = from.y + BOX, x2 = s.x + s.width / 2, y2 = s.y;
        return <path key={`${id}-${s.node.id}`} class={`edge ${from.node.state}`} d={`M${x1} ${y1}C${x1} ${y1 + 14} ${x2} ${y2 - 14} ${x2} ${y2}`} />;
      }))}
      {spots.map((s) => (
        <g key={s.node.id} class={`node ${s.node.state}`} data-testid="flow-box" data-node={s.node.id} data-state={s.node.state}>
          <rect x={s.x} y={s.y} width={s.width} height={BOX} rx="8" />
          <text x={s.x + 26} y={s.y + 15}>{fit(s.node.id, s.width)}</text>
          <text class="word" x={s.x + 26} y={s.y + 28}>{s.node.asks ? w.asks : w.nodes[s.node.state]}</text>
          <svg x={s.x + 6} y={s.y + 9} width="16" height="16"><NodeIcon n={s.node} /></svg>
        </g>
      ))}
    </svg>
  );
}

/** Returns the name, cut to the width. */
function fit(id: string, width: number): string {
  const most = Math.max(3, Math.floor((width - 32) / 7.6));
  return id.length > most ? `${id.slice(0, most - 1)}…` : id;
}

function NodeIcon({ n }: { n: FlowNode }) {
  if (n.asks) return <Question />;
  switch (n.state) {
    case "running": return <Play />;
    case "done": return <Check />;
    case "failed": return <Cross />;
    case "skipped": return <Dash />;
    default: return <Dots />;
  }
}

function List({ f }: { f: flow.Shown }) {
  return (
    <ol class="flow-list" aria-label={w.parts}>
      {f.nodes.map((n) => (
        <li key={n.id} data-testid="flow-node" data-state={n.state}>
          <span class={`mark ${n.state}`}><NodeIcon n={n} /></span>
          <div>
            <span class="name">{n.id}</span> <span class="dim">{n.asks ? w.asks : w.nodes[n.state]}{n.needs?.length ? `, ${w.needs(n.needs.join(", "))}` : ""}</span>
            <p>{n.text}</p>
            {n.error ? <div class="flow-error"><Refusal error={n.error} brief /></div> : n.note && <p class="note">{n.note}</p>}
          </div>
          {n.task && store.tasks.value.some((t) => t.task === n.task) && (
            <button type="button" class="icon" title={w.open(n.id)} aria-label={w.open(n.id)} onClick={() => void flow.showNode(n)}><Chevron size={14} /></button>
          )}
        </li>
      ))}
    </ol>
  );
}

function Controls({ f }: { f: flow.Shown }) {
  const [text, setText] = useState("");
  const change = async (e: Event) => {
    e.preventDefault();
    if (text.trim() && await flow.modify(text.trim())) setText("");
  };
  return (
    <div class="flow-controls">
      {flow.open(f) && (
        <form onSubmit={(e) => void change(e)}>
          <input value={text} placeholder={w.change} aria-label={w.changeLabel} data-testid="flow-change" disabled={flow.changing.value}
            onInput={(e) => setText(e.currentTarget.value)} />
          <button type="submit" class="small" data-testid="flow-change-send" disabled={!text.trim() || flow.changing.value}>{w.changeIt}</button>
        </form>
      )}
      <div class="flow-buttons">
        {f.state === "running" && <button type="button" class="small" data-testid="flow-pause" onClick={() => void flow.pause()}><Pause size={12} /> {w.pause}</button>}
        {f.state !== "running" && f.state !== "done" && <button type="button" class={flow.fresh(f) ? "primary" : "small"} data-testid="flow-resume" onClick={(e) => e.isTrusted && void flow.resume()}><Play size={12} /> {flow.fresh(f) ? w.begin : w.resume}</button>}
        {flow.open(f) && f.state !== "interrupted" && <button type="button" class="small" data-testid="flow-stop" onClick={() => void flow.stop()}><Square size={12} /> {w.stop}</button>}
        <button type="button" class="small" onClick={() => void flow.save({ flow: f.flow })}>{w.save}</button>
        <Keep what={{ flow: f.flow }} of={f.flow} />
        {f.state !== "running" && <button type="button" class="small" data-testid="flow-close" onClick={flow.close}>{w.close}</button>}
      </div>
    </div>
  );
}
