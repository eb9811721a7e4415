// The shop works without this; it saves clicks.
const sort = document.querySelector(".sort select");
if (sort) sort.addEventListener("change", () => sort.form.submit());

for (const b of document.querySelectorAll(".step")) {
  b.addEventListener("click", () => {
    const field = b.parentElement.querySelector("input");
    field.value = Math.min(20, Math.max(1, Number(field.value) + Number(b.dataset.by)));
  });
}

const toast = document.getElementById("toast");
function say(text) {
  toast.textContent = text;
  toast.classList.add("shown");
  setTimeout(() => toast.classList.remove("shown"), 4000);
}
if (toast.textContent) say(toast.textContent);

const gift = document.getElementById("gift");
if (gift) {
  gift.addEventListener("change", async () => {
    const r = await fetch("/cart/gift", { method: "POST", body: new URLSearchParams({ gift: gift.checked ? "on" : "" }) });
    say((await r.json()).toast);
  });
}
