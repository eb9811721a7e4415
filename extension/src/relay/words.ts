// The few words that Chrome itself shows for us: the toolbar button's title,
// notifications, the context menu. The panel's are in panel/words.ts.

const en = {
  ask: "Ask Tabwright about this",
  working: "Tabwright works in this tab",
  waits: (n: number) => (n === 1 ? "Tabwright: 1 question waits for you" : `Tabwright: ${n} questions wait for you`),
  waitsHere: "Tabwright waits for your answer about this tab",
  confirm: "Tabwright asks for your permission",
  question: "Tabwright has a question",
  expired: "No answer in time, so it was not done",
};

const zh: typeof en = {
  ask: "就此询问 Tabwright",
  working: "Tabwright 正在此标签页中工作",
  waits: (n) => `Tabwright：${n} 个问题等您回答`,
  waitsHere: "Tabwright 正在等您就此标签页作答",
  confirm: "Tabwright 请您许可",
  question: "Tabwright 有问题问您",
  expired: "未及时回答，因此没有执行",
};

export const words = /^zh\b/i.test(chrome.i18n.getUILanguage()) ? zh : en;
