(function () {
  var dialog = document.getElementById("payee");
  if (dialog) {
    document.getElementById("addpayee").addEventListener("click", function () { dialog.showModal(); });
    document.getElementById("nopayee").addEventListener("click", function () { dialog.close(); });
    if (dialog.hasAttribute("data-open")) dialog.showModal();
  }

  document.querySelectorAll(".sw").forEach(function (sw) {
    function flip() {
      var on = sw.getAttribute("aria-checked") !== "true";
      fetch("/cards/" + sw.dataset.card, { method: "POST", body: new URLSearchParams({ frozen: on ? "on" : "off" }) })
        .then(function (r) { return r.json(); })
        .then(function (r) {
          sw.setAttribute("aria-checked", String(on));
          document.getElementById("said").textContent = r.said;
        });
    }
    sw.addEventListener("click", flip);
    sw.addEventListener("keydown", function (e) { if (e.key === " " || e.key === "Enter") { e.preventDefault(); flip(); } });
  });

  document.querySelectorAll(".more .link").forEach(function (l) {
    l.addEventListener("click", function () {
      var form = l.closest(".card").querySelector("form");
      form.hidden = !form.hidden;
      if (!form.hidden) form.querySelector("input").focus();
    });
  });

  document.querySelectorAll(".dots").forEach(function (d) {
    d.addEventListener("click", function (e) {
      e.stopPropagation();
      var drop = d.nextElementSibling, was = drop.hidden;
      document.querySelectorAll(".drop").forEach(function (x) { x.hidden = true; });
      drop.hidden = !was;
    });
  });
  document.addEventListener("click", function () { document.querySelectorAll(".drop").forEach(function (x) { x.hidden = true; }); });
})();
