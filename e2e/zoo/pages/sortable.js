import Sortable from "sortablejs";

const list = (id, all) => `<h2>${id}</h2><ul id="${id}" style="width: 200px; min-height: 40px; border: 1px solid">${all.map((f) => `<li style="padding: 8px">${f}</li>`).join("")}</ul>`;
document.body.innerHTML = `<h1>Fruit</h1>${list("have", ["Apple", "Banana", "Cherry"])}${list("want", ["Date", "Elderberry"])}
<h2>By handle</h2><ul id="handled" style="width: 200px">${["One", "Two", "Three"].map((f) => `<li style="padding: 8px"><span class="handle" style="cursor: grab" title="Move ${f}">⠿</span> ${f}</li>`).join("")}</ul>`;
for (const id of ["have", "want"]) Sortable.create(document.getElementById(id), { group: "fruit", animation: 150 });
Sortable.create(document.getElementById("handled"), { handle: ".handle", forceFallback: true });
const items = (id) => [...document.querySelectorAll(`#${id} li`)].map((li) => li.textContent.replace("⠿", "").trim());
window.state = () => ({ have: items("have"), want: items("want"), handled: items("handled") });
