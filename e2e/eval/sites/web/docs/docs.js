"use strict";
const post = async (path, values) => (await fetch(path, { method: "POST", body: new URLSearchParams(values) })).json();

document.querySelector("#versions select").addEventListener("change", (e) => e.target.form.submit());
// The form goes to the page it is on.
document.querySelector("#versions").action = location.pathname.startsWith("/docs/") ? location.pathname : "/docs/settings";

const tabs = document.querySelectorAll("[role=tab]");
for (const tab of tabs) {
  tab.addEventListener("click", () => {
    for (const x of tabs) {
      x.setAttribute("aria-selected", String(x === tab));
      document.getElementById(x.getAttribute("aria-controls")).hidden = x !== tab;
    }
  });
}

const theme = document.getElementById("theme");
const menu = theme.nextElementSibling;
const current = () => {
  for (const item of menu.children) item.setAttribute("aria-checked", String(item.dataset.theme === document.documentElement.dataset.theme));
};
current();
theme.addEventListener("click", () => {
  menu.hidden = !menu.hidden;
  theme.setAttribute("aria-expanded", String(!menu.hidden));
});
menu.addEventListener("click", async (e) => {
  const item = e.target.closest("[data-theme]");
  if (!item) return;
  document.documentElement.dataset.theme = (await post("/prefs", { theme: item.dataset.theme })).theme;
  current();
  menu.hidden = true;
  theme.setAttribute("aria-expanded", "false");
});

const mark = document.getElementById("mark");
mark?.addEventListener("click", async () => mark.setAttribute("aria-pressed", String((await post("/bookmark/" + mark.dataset.slug, {})).on)));

const feedback = document.querySelector(".feedback");
if (feedback) {
  const why = feedback.querySelector(".why");
  const say = async (values) => { feedback.querySelector(".thanks").textContent = (await post("/feedback/" + feedback.dataset.slug, values)).said; };
  for (const b of feedback.querySelectorAll("[data-helpful]")) {
    b.addEventListener("click", async () => {
      await say({ helpful: b.dataset.helpful });
      why.hidden = b.dataset.helpful !== "no";
    });
  }
  feedback.querySelector(".sendit").addEventListener("click", async () => {
    await say({ helpful: "no", text: why.querySelector("textarea").value });
    why.hidden = true;
  });
}

let pages;
const hits = document.getElementById("hits");
document.getElementById("search").addEventListener("input", async (e) => {
  pages ??= await (await fetch("/search.json")).json();
  const q = e.target.value.trim().toLowerCase();
  hits.textContent = "";
  hits.hidden = !q;
  for (const p of pages.filter((p) => (p.Title + " " + p.Text).toLowerCase().includes(q))) {
    const a = document.createElement("a");
    a.href = "/docs/" + p.Slug;
    a.textContent = p.Title;
    hits.append(a);
  }
  if (q && !hits.children.length) hits.textContent = document.documentElement.lang === "zh" ? "没有结果" : "No results";
});
