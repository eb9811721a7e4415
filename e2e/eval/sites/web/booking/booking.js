(() => {
  const zh = document.documentElement.lang === "zh";
  const t = (en, other) => (zh ? other : en);
  const today = document.body.dataset.today;
  const el = (tag, cls, text) => { const e = document.createElement(tag); if (cls) e.className = cls; if (text) e.textContent = text; return e; };

  document.querySelectorAll("[data-href]").forEach((tile) => tile.addEventListener("click", () => { location.href = tile.dataset.href; }));

  document.querySelectorAll(".tab").forEach((tab) => tab.addEventListener("click", () => {
    document.querySelectorAll(".tab").forEach((x) => x.classList.toggle("on", x === tab));
    document.querySelectorAll(".pane").forEach((p) => { p.hidden = p.id !== tab.dataset.pane; });
  }));

  // calendar draws a month into a box, and calls back with the day that is chosen.
  function calendar(box, chosen) {
    let [year, month] = today.split("-").map(Number);
    let picked = "";
    const mark = (cell, on) => { cell.classList.toggle("picked", on); if (on) cell.setAttribute("aria-current", "date"); else cell.removeAttribute("aria-current"); };
    const draw = () => {
      box.textContent = "";
      const head = el("div", "calhead");
      const prev = el("span", "arrow", "‹"), next = el("span", "arrow", "›");
      prev.title = t("Previous month", "上个月");
      next.title = t("Next month", "下个月");
      const first = new Date(Date.UTC(year, month - 1, 1));
      head.append(prev, el("b", "", zh ? `${year}年${month}月` : first.toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" })), next);
      const turn = (by) => { month += by; if (month < 1) { month = 12; year--; } if (month > 12) { month = 1; year++; } draw(); };
      prev.onclick = () => turn(-1);
      next.onclick = () => turn(1);
      const grid = el("div", "grid");
      for (const d of zh ? "一二三四五六日" : ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]) grid.append(el("div", "wd", d));
      for (let i = 0; i < (first.getUTCDay() + 6) % 7; i++) grid.append(el("div"));
      const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
      for (let d = 1; d <= days; d++) {
        const iso = `${year}-${String(month).padStart(2, "0")}-${String(d).padStart(2, "0")}`;
        const cell = el("div", "day", String(d));
        if (iso < today || new Date(iso).getUTCDay() === 0) cell.classList.add("off");
        else {
          cell.onclick = () => {
            picked = iso;
            for (const c of grid.querySelectorAll(".picked")) mark(c, false);
            mark(cell, true);
            chosen(iso);
          };
        }
        mark(cell, iso === picked);
        grid.append(cell);
      }
      box.append(head, grid);
    };
    draw();
  }

  async function hours(box, query, chosen) {
    const free = await (await fetch("/free?" + new URLSearchParams(query))).json();
    box.textContent = "";
    if (!free.length) box.append(el("span", "hint", t("Nothing free on this day.", "当天已约满。")));
    for (const h of free) {
      const chip = el("div", "hour", h);
      chip.onclick = () => {
        box.querySelectorAll(".hour").forEach((x) => { x.classList.toggle("picked", x === chip); x.toggleAttribute("aria-current", x === chip); });
        chosen(h);
      };
      box.append(chip);
    }
  }

  function modal(title) {
    const veil = el("div", "veil"), box = el("div", "modal"), body = el("div"), foot = el("div", "modalfoot");
    box.setAttribute("role", "dialog");
    box.setAttribute("aria-modal", "true");
    box.append(el("h3", "", title), body, foot);
    veil.append(box);
    document.body.append(veil);
    const button = (text, cls, act) => { const b = el("button", cls, text); b.onclick = act; foot.append(b); };
    return { body, button, close: () => veil.remove() };
  }

  async function send(path, values) {
    const r = await (await fetch(path, { method: "POST", body: new URLSearchParams(values) })).json();
    if (r.to) location.href = r.to;
    return r.wrong || {};
  }

  const book = document.getElementById("book");
  if (book) {
    const want = { offer: book.dataset.offer, staff: "", day: "", hour: "", guests: 1 };
    const times = book.querySelector(".hours");
    const look = () => { want.hour = ""; if (want.staff && want.day) hours(times, want, (h) => { want.hour = h; }); };
    const select = document.getElementById("staff"), value = select.querySelector(".value"), list = select.querySelector(".list");
    const toggle = () => { list.hidden = !list.hidden; value.setAttribute("aria-expanded", String(!list.hidden)); };
    value.onclick = toggle;
    list.onclick = (e) => {
      const option = e.target.closest("[role=option]");
      if (!option) return;
      value.textContent = want.staff = option.textContent;
      toggle();
      look();
    };
    calendar(book.querySelector(".cal"), (day) => { want.day = day; look(); });
    const count = book.querySelector("output");
    const step = (by) => { want.guests = Math.min(6, Math.max(1, want.guests + by)); count.textContent = want.guests; };
    book.querySelector(".less").onclick = () => step(-1);
    book.querySelector(".more").onclick = () => step(1);
    document.getElementById("bookit").onclick = () => {
      const m = modal(t("Confirm your booking", "确认预约"));
      m.body.append(el("p", "", `${document.querySelector("h1").textContent}, ${want.staff || "–"}, ${want.day || "–"} ${want.hour || "–"}`));
      m.button(t("Back", "返回"), "", m.close);
      m.button(t("Confirm", "确认"), "strong", async () => {
        for (const id of ["name", "phone", "remarks"]) want[id] = document.getElementById(id).value;
        const wrong = await send("/book", want);
        m.close();
        book.querySelectorAll("em").forEach((e) => { e.textContent = wrong[e.dataset.for] || ""; });
      });
    };
  }

  document.querySelectorAll(".mine").forEach((row) => {
    row.querySelector(".cancel").onclick = (e) => {
      e.preventDefault();
      const m = modal(t("Cancel this booking?", "确定取消这个预约吗?"));
      m.body.append(el("p", "", row.dataset.name));
      m.button(t("Keep it", "保留"), "", m.close);
      m.button(t("Yes, cancel", "取消预约"), "strong", () => send(`/bookings/${row.dataset.no}/cancel`, {}));
    };
    row.querySelector(".move").onclick = (e) => {
      e.preventDefault();
      const want = { offer: row.dataset.offer, staff: row.dataset.staff, day: "", hour: "" };
      const m = modal(t("Choose a new time", "选择新的时间"));
      const cal = el("div", "cal"), times = el("div", "hours"), wrong = el("em");
      m.body.append(cal, times, wrong);
      calendar(cal, (day) => { want.day = day; want.hour = ""; hours(times, want, (h) => { want.hour = h; }); });
      m.button(t("Close", "关闭"), "", m.close);
      m.button(t("Save new time", "保存新时间"), "strong", async () => { wrong.textContent = (await send(`/bookings/${row.dataset.no}/move`, want)).hour || ""; });
    };
  });

  const snack = document.querySelector(".snack");
  if (snack) setTimeout(() => snack.remove(), 6000);
})();
