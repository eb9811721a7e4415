// What the doctor's checks found, in Chinese: by the kind of check and what it
// says, with the values in its sentence. English is the program's own.

import type { Said } from "./errors";

const reload = "在 chrome://extensions 中点击 Tabwright 的重新加载按钮";
const install = "运行 tabwright install";
const load = (dir: string): string => `打开 chrome://extensions，启用开发者模式，点击“加载已解压的扩展程序”，选择 ${dir}`;

/** Of a model, or its server, that lacks what a test asks for. */
export const lacksZh = "此模型或其服务器没有这种能力。";

export const doctorZh: Record<string, (...args: string[]) => Said> = {
  "system.error": (e) => [`不支持此操作系统：${e}`, ""],
  "binary.no_path": () => ["不知道程序的路径", "请用完整路径运行它"],
  "binary.not_executable": (path, e) => [`${path} 无法运行（${e}）`, "用 make build 构建"],
  "binary.temporary": (path) => [`${path} 在临时文件夹中，可能会消失`, "用 make build 构建，然后运行 bin/tabwright install"],
  "binary.open_to_all": (path) => [`这台电脑上的任何人都可以覆盖 ${path}，浏览器会启动他们放在那里的程序`, `chmod o-w ${path}`],
  "binary.ok": (path) => [path, ""],
  "extension.missing": (dir) => [`缺少 ${dir}`, install],
  "extension.unreadable": (dir, e) => [`无法读取 ${dir}：${e}`, install],
  "extension.other_id": (got, want) => [`它的密钥得出标识 ${got}，而程序期望 ${want}`, install],
  "extension.not_built": () => ["此程序构建时不含扩展，无法与磁盘上的比较", "用 make build 构建"],
  "extension.other_version": (disk, own) => [`文件夹中是 ${disk} 版，程序是 ${own} 版`, `${install}，然后${reload}`],
  "extension.differs": (dir) => [`${dir} 中的文件与此程序的不同`, `${install}，然后${reload}`],
  "extension.ok": (dir, version, id) => [`${dir}，${version} 版，标识 ${id}`, ""],
  "browsers.error": (e) => [`无法查找浏览器：${e}`, install],
  "browsers.none": (dir) => [`在 ${dir} 中没有找到浏览器`, `请先启动一次 Chrome 或 Chromium，然后${install}`],
  "manifest.missing": (path) => [`缺少 ${path}`, install],
  "manifest.unreadable": (path, e) => [`无法读取 ${path}：${e}`, install],
  "manifest.faults": (path, e) => [`${path} 有误：${e}`, install],
  "manifest.ok": (path) => [path, ""],
  "duplicates.found": (list) => [`发现其他注册：${list}`, "请移除不该在那里的"],
  "duplicates.ok": () => ["没有", ""],
  "policies.found": (list) => [`管理策略妨碍运行：${list}`, "请联系管理这台电脑的人，或使用不受管理的浏览器"],
  "policies.ok": () => ["没有妨碍", ""],
  "confined.found": (list) => [`浏览器受限制：${list}`, "请使用浏览器厂商自己的安装包"],
  "broker.none": () => ["没有运行", "请在浏览器中打开侧边栏；扩展会启动它"],
  "broker.error": (e) => [`无法查询：${e}`, "请关闭浏览器，再运行 tabwright doctor；若仍如此，请查看日志"],
  "broker.ok": (pid, version, socket) => [`进程 ${pid}，${version} 版，${socket}`, ""],
  "broker.other_copy": (pid, path) => [`进程 ${pid} 运行的是另一份程序：${path}`, "没有任务运行时执行 tabwright broker stop，然后重新打开面板"],
  "broker.unreachable": () => ["它在运行，但别人连不上：它的套接字不在了或属于他人", "请重新启动它"],
  "relay.none": (dir) => ["没有；扩展未加载、已关闭，或无法启动程序", `请在 chrome://extensions 中查看 Tabwright：从 ${dir} 加载、已启用、没有错误`],
  "relay.other_id": (got, dir) => [`它的扩展标识是 ${got}`, `请在 chrome://extensions 中移除它，然后加载 ${dir}`],
  "relay.other_copy": (path) => [`浏览器启动了另一份程序：${path}`, `${install}，然后${reload}`],
  "relay.silent": (e) => [`后台服务没有回应：${e}`, reload],
  "relay.other_version": (got, want) => [`那里运行的扩展是 ${got} 版，程序是 ${want} 版`, reload],
  "relay.no_attach": (e) => [`扩展无法连接标签页：${e}`, `请关闭其他调试浏览器的工具；${reload}`],
  "relay.ok": (version) => [`扩展 ${version} 版，有回应，能连接标签页`, ""],
  "loaded.other_folder": (path, dir) => [`从 ${path} 加载，而安装程序不更新那里`, `请先移除；${load(dir)}`],
  "loaded.off": () => ["已关闭", "请在 chrome://extensions 中启用"],
  "loaded.ok": () => ["已加载", ""],
  "loaded.none": (list, dir) => [`${list} 的任何配置文件都没有加载（浏览器几秒后才记录）`, load(dir)],
  "model.error": (where, e) => [`${where}：${e}`, "请检查它是否在运行，以及设置中的地址和密钥"],
  "model.empty": (where) => [`${where} 有回应，但没有模型`, "请先在设置中获取一个模型"],
  "model.not_chosen": (where, list) => [`${where} 有回应；尚未选择模型（可选：${list}）`, "请在面板中选择一个"],
  "model.not_offered": (where, model, list) => [`${where} 有回应，但没有 ${model}（可选：${list}）`, "请选择另一个模型，或先获取它"],
  "model.first": (model, where) => [`${model}，${where}；没有设定模型，用的是其中最合适的`, ""],
  "model.ok": (model, where) => [`${model}，${where}`, ""],
  "settings.ok": (file) => [file, ""],
  "settings.kept": (file, kept) => [`${file}；修正之前的原文件保留为 ${kept}`, ""],
  "settings.fault": (e) => [e, "请修正所指之处；文件中的错误也可以在这里或用 tabwright doctor --fix 移除，原文件会保留在旁边"],
  "settings.elsewhere": (e) => [e, "请修正或移除所指的环境变量或命令行参数"],
  "folders.ok": () => ["可以写入", ""],
  "folders.closed": (list) => [`无法写入：${list}`, "请让每一个都成为属于您、您可以写入的文件夹，并确保磁盘有剩余空间"],
  "check.not_tried": () => ["服务器不提供", ""],
  "check.unfit": (said) => [`回答不合用：${said}`, ""],
  "policy.ok": (preset, n) => [`预设 ${preset}，${n} 条单独规则`, ""],
  "policy.fault": (e) => [`未生效，因此采用谨慎预设：${e}`, "请修正后运行 tabwright policy check"],
  "audit.ok": (n) => [`${n} 条记录，完整`, ""],
  "audit.fault": (e) => [`日志不完整：${e}`, "tabwright audit verify 会说明位置"],
  "audit.error": (e, path) => [`无法读取：${e}`, `请确保您可以读取 ${path}`],
};
