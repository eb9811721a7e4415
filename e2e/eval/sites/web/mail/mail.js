"use strict";
const zh = document.documentElement.lang === "zh";
const t = (en, other) => (zh ? other : en);
const $ = (id) => document.getElementById(id);
const esc = (s) => String(s ?? "").replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

const folders = [
  ["inbox", t("Inbox", "收件箱")], ["starred", t("Starred", "星标")], ["sent", t("Sent", "已发送")],
  ["archive", t("Archive", "归档")], ["spam", t("Spam", "垃圾邮件")], ["trash", t("Trash", "已删除")],
];
const labels = [["Work", "工作"], ["Travel", "旅行"], ["Family", "家庭"], ["Receipts", "票据"]].map((l) => (zh ? l[1] : l[0]));

const state = { folder: "inbox", label: "", q: "", page: 1, picked: new Set(), unread: 0 };

async function post(path, values) {
  const r = await (await fetch(path, { method: "POST", body: new URLSearchParams(values) })).json();
  if (r.toast) toast(r.toast);
  return r;
}

let hide;
function toast(text) {
  $("toast").textContent = text;
  $("toast").className = "shown";
  clearTimeout(hide);
  hide = setTimeout(() => { $("toast").className = ""; }, 4000);
}

function side() {
  $("folders").innerHTML = folders.map(([id, name]) =>
    `<div class="folder${state.folder === id && !state.label && !state.q ? " here" : ""}" data-folder="${id}">${name}${id === "inbox" && state.unread ? `<i>${state.unread}</i>` : ""}</div>`).join("");
  $("labels").innerHTML = labels.map((l) => `<div class="folder${state.label === l ? " here" : ""}" data-label="${l}"><u></u>${l}</div>`).join("");
}

async function list() {
  state.picked.clear();
  if (state.folder === "sent" && !state.q && !state.label) {
    const sent = await (await fetch("/api/sent")).json();
    $("view").innerHTML = (sent || []).map((s) => `<div class="row"><span class="from">${t("To", "收件人")}: ${esc(s.To)}</span><span class="what"><b>${esc(s.Subject)}</b> ${esc(s.Body)}</span></div>`).join("") || `<p class="none">${t("Nothing here", "没有邮件")}</p>`;
    side(); bulk();
    return;
  }
  const r = await (await fetch("/api/mail?" + new URLSearchParams({ folder: state.folder, label: state.label, q: state.q, page: state.page }))).json();
  state.unread = r.unread;
  state.page = r.page;
  side();
  const rows = (r.items || []).map((l) => `
    <div class="row${l.Unread ? " unread" : ""}" data-id="${l.ID}">
      <input type="checkbox" aria-label="${t("Select", "选择")}">
      <span class="star" title="${l.Starred ? t("Remove star", "取消星标") : t("Star", "加星标")}">${l.Starred ? "★" : "☆"}</span>
      <span class="from">${esc(l.From)}</span>
      <span class="what">${(l.Labels || []).map((x) => `<em>${esc(x)}</em>`).join("")}<b>${esc(l.Subject)}</b> <span>${esc(l.Short)}</span></span>
      <span class="when">${esc(l.When)}</span>
      <span class="quick"><span data-do="archive" title="${t("Archive", "归档")}">▤</span><span data-do="trash" title="${t("Delete", "删除")}">✕</span></span>
    </div>`).join("");
  const from = (r.page - 1) * 10 + 1;
  const pager = r.total ? `<div class="pager"><span>${from}–${from + r.items.length - 1} / ${r.total}</span>
    <span class="turn${r.page > 1 ? "" : " off"}" data-turn="-1">‹ ${t("Newer", "上一页")}</span><span class="turn${r.page < r.pages ? "" : " off"}" data-turn="1">${t("Older", "下一页")} ›</span></div>` : "";
  $("view").innerHTML = rows ? rows + pager : `<p class="none">${t("Nothing here", "没有邮件")}</p>`;
  bulk();
}

function bulk() {
  const n = state.picked.size;
  $("bulk").hidden = n === 0;
  if (!n) { $("bulk").textContent = ""; return; }
  const count = t(n + " selected", "已选 " + n + " 封");
  if ($("bulk").firstChild) { $("bulk").firstChild.textContent = count; return; }
  $("bulk").innerHTML = `<span>${count}</span>
    <div class="tool" data-do="archive">${t("Archive", "归档")}</div><div class="tool" data-do="trash">${t("Delete", "删除")}</div><div class="tool" data-do="spam">${t("Spam", "垃圾邮件")}</div>
    <div class="tool" data-do="unread">${t("Mark as unread", "标为未读")}</div><div class="tool" id="labelmenu">${t("Label", "标签")} ▾</div>
    <div class="menu" id="menu" hidden>${labels.map((l) => `<div data-label="${l}">${l}</div>`).join("")}</div>`;
}

async function act(deed, ids, label) {
  await post("/api/act", { do: deed, ids: ids.join(","), label: label || "" });
  await list();
}

async function show(id) {
  const l = await (await fetch("/api/mail/" + id)).json();
  $("bulk").hidden = true;
  $("view").innerHTML = `
    <div class="letter">
      <div class="tools"><div class="tool" id="back">‹ ${t("Back", "返回")}</div><div class="tool" data-do="archive">${t("Archive", "归档")}</div><div class="tool" data-do="trash">${t("Delete", "删除")}</div><div class="tool" data-do="unread">${t("Mark as unread", "标为未读")}</div></div>
      <h2>${esc(l.Subject)}</h2>
      <div class="sender"><span class="face">${esc(l.From[0])}</span><div><b>${esc(l.From)}</b><small>${esc(l.Addr)} · ${esc(l.When)}</small></div></div>
      <p>${esc(l.Body)}</p>
      <div class="tool big" id="reply">↩ ${t("Reply", "回复")}</div>
      <div id="answer"></div>
    </div>`;
  $("back").onclick = list;
  for (const b of document.querySelectorAll(".letter [data-do]")) b.onclick = () => act(b.dataset.do, [l.ID]);
  $("reply").onclick = () => {
    $("answer").innerHTML = `<div class="replybox"><small>${t("To", "收件人")}: ${esc(l.From)}</small><textarea rows="5" placeholder="${t("Write a reply", "写回复")}"></textarea><div class="send">${t("Send", "发送")}</div></div>`;
    const box = $("answer").querySelector("textarea");
    box.focus();
    $("answer").querySelector(".send").onclick = async () => {
      const r = await post("/api/send", { to: l.Addr, subject: (zh ? "回复:" : "Re: ") + l.Subject, body: box.value });
      if (r.error) toast(r.error); else $("answer").innerHTML = `<small>${t("Reply sent.", "回复已发送。")}</small>`;
    };
  };
}

function compose() {
  $("modal").hidden = false;
  $("modal").innerHTML = `<div class="box" role="dialog" aria-modal="true" aria-label="${t("New message", "写邮件")}"><header>${t("New message", "写邮件")}</header>
    <input placeholder="${t("To", "收件人")}"><input placeholder="${t("Subject", "主题")}"><textarea rows="8" placeholder="${t("Text", "正文")}"></textarea>
    <footer><div class="send">${t("Send", "发送")}</div><div class="tool" id="discard">${t("Discard", "放弃")}</div></footer></div>`;
  const [to, subject] = $("modal").querySelectorAll("input");
  to.focus();
  $("discard").onclick = () => { $("modal").hidden = true; };
  $("modal").querySelector(".send").onclick = async () => {
    const r = await post("/api/send", { to: to.value, subject: subject.value, body: $("modal").querySelector("textarea").value });
    if (r.error) toast(r.error); else $("modal").hidden = true;
  };
}

async function settings(tab) {
  const s = await (await fetch("/api/settings")).json();
  const get = (k) => esc(s["settings." + k]);
  const on = (k) => (s["settings." + k] === "on" ? "checked" : "");
  const tabs = [["general", t("General", "常规")], ["signature", t("Signature", "签名")], ["vacation", t("Vacation reply", "假期自动回复")]];
  const bodies = {
    general: `<label><input type="checkbox" name="threads" ${on("threads")}> ${t("Group messages by subject", "按主题归并邮件")}</label><label><input type="checkbox" name="preview" ${on("preview")}> ${t("Show a preview of the text", "显示正文预览")}</label>`,
    signature: `<label>${t("Signature", "签名")}<textarea name="signature" rows="4">${get("signature")}</textarea></label>`,
    vacation: `<label class="switch"><input type="checkbox" name="vacation" ${on("vacation")}><span></span> ${t("Reply while I am away", "在我外出时自动回复")}</label>
      <div class="two"><label>${t("First day", "开始日期")}<input type="date" name="vacation.from" value="${get("vacation.from")}"></label><label>${t("Last day", "结束日期")}<input type="date" name="vacation.to" value="${get("vacation.to")}"></label></div>
      <label>${t("Subject", "主题")}<input name="vacation.subject" value="${get("vacation.subject")}"></label><label>${t("Message", "正文")}<textarea name="vacation.text" rows="4">${get("vacation.text")}</textarea></label>`,
  };
  $("bulk").hidden = true;
  $("view").innerHTML = `<div class="settings"><h2>${t("Settings", "设置")}</h2><div class="tabs" role="tablist">${tabs.map(([id, name]) => `<div role="tab" tabindex="0" aria-selected="${id === tab}" data-tab="${id}">${name}</div>`).join("")}</div>
    <form>${bodies[tab]}<p class="error" role="alert"></p><button type="submit">${t("Save changes", "保存更改")}</button></form></div>`;
  for (const x of document.querySelectorAll("[data-tab]")) x.onclick = () => settings(x.dataset.tab);
  const form = document.querySelector(".settings form");
  form.onsubmit = async (e) => {
    e.preventDefault();
    const values = { page: tab };
    for (const f of form.elements) if (f.name) values[f.name] = f.type === "checkbox" ? (f.checked ? "on" : "off") : f.value;
    const r = await post("/api/settings", values);
    form.querySelector(".error").textContent = r.error || "";
  };
}

$("view").addEventListener("click", (e) => {
  const row = e.target.closest(".row[data-id]");
  const turn = e.target.closest(".turn");
  if (turn && !turn.classList.contains("off")) { state.page += Number(turn.dataset.turn); list(); }
  if (!row) return;
  const id = row.dataset.id;
  const quick = e.target.closest("[data-do]");
  if (e.target.type === "checkbox") {
    if (e.target.checked) state.picked.add(id); else state.picked.delete(id);
    row.classList.toggle("picked", e.target.checked);
    bulk();
  } else if (e.target.closest(".star")) {
    const star = e.target.closest(".star"), on = star.textContent === "☆";
    star.textContent = on ? "★" : "☆";
    star.title = on ? t("Remove star", "取消星标") : t("Star", "加星标");
    post("/api/act", { do: "star", ids: id });
  }
  else if (quick) act(quick.dataset.do, [id]);
  else show(id);
});
$("bulk").addEventListener("click", (e) => {
  const label = e.target.closest("[data-label]");
  const tool = e.target.closest("[data-do]");
  if (e.target.closest("#labelmenu")) $("menu").hidden = !$("menu").hidden;
  else if (label) act("label", [...state.picked], label.dataset.label);
  else if (tool) act(tool.dataset.do, [...state.picked]);
});
document.querySelector(".side").addEventListener("click", (e) => {
  const x = e.target.closest(".folder");
  if (!x) return;
  Object.assign(state, { folder: x.dataset.folder || state.folder, label: x.dataset.label || "", q: "", page: 1 });
  $("q").value = "";
  list();
});
$("compose").onclick = compose;
$("gear").onclick = () => settings("general");
$("q").addEventListener("keydown", (e) => {
  if (e.key === "Enter") { Object.assign(state, { q: e.target.value, page: 1 }); list(); }
});
list();
