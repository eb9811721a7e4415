"use strict";
const closeAll = (but) => {
  for (const p of document.querySelectorAll(".popup")) {
    if (p !== but) {
      p.hidden = true;
      p.parentElement.querySelector("[aria-expanded]")?.setAttribute("aria-expanded", "false");
    }
  }
};

for (const pop of document.querySelectorAll(".pop")) {
  const button = pop.querySelector("button");
  const popup = pop.querySelector(".popup");
  button.addEventListener("click", () => {
    closeAll(popup);
    popup.hidden = !popup.hidden;
    button.setAttribute("aria-expanded", String(!popup.hidden));
  });
}

for (const combo of document.querySelectorAll(".combo")) {
  const popup = combo.querySelector(".popup");
  const find = popup.querySelector("input");
  const shown = combo.querySelector(".shown");
  shown.addEventListener("click", () => {
    closeAll(popup);
    popup.hidden = !popup.hidden;
    if (!popup.hidden) find.focus();
  });
  find.addEventListener("keydown", (e) => { if (e.key === "Enter") e.preventDefault(); });
  find.addEventListener("input", () => {
    for (const li of popup.querySelectorAll("li")) li.hidden = !li.textContent.toLowerCase().includes(find.value.toLowerCase());
  });
  popup.querySelector("ul").addEventListener("click", async (e) => {
    const li = e.target.closest("li");
    if (!li) return;
    shown.textContent = li.textContent;
    popup.hidden = true;
    const field = combo.querySelector("input[type=hidden]");
    if (field) { field.value = li.textContent; return; }
    await fetch(combo.dataset.post, { method: "POST", body: new URLSearchParams({ do: combo.dataset.do, value: li.textContent }) });
  });
}

document.addEventListener("click", (e) => { if (!e.target.closest(".pop, .combo")) closeAll(); });

for (const s of document.querySelectorAll("select[data-auto]")) s.addEventListener("change", () => s.form.submit());

const comment = document.querySelector("textarea[name=comment]");
if (comment) {
  const close = comment.form.querySelector("[data-with]");
  if (close) {
    const plain = close.textContent;
    comment.addEventListener("input", () => { close.textContent = comment.value.trim() ? close.dataset.with : plain; });
  }
}

const bulk = document.getElementById("bulk");
if (bulk) {
  bulk.addEventListener("change", () => {
    const n = bulk.querySelectorAll(":checked").length;
    const bar = bulk.querySelector(".bulkbar");
    bar.hidden = n === 0;
    bar.querySelector("span").textContent = document.documentElement.lang === "zh" ? `已选 ${n} 个` : `${n} selected`;
  });
}

const toast = document.querySelector(".toast");
if (toast) {
  toast.querySelector(".x").addEventListener("click", () => toast.remove());
  setTimeout(() => toast.remove(), 5000);
}
