import tippy from "tippy.js";
import "tippy.js/dist/tippy.css";
import Swal from "sweetalert2";
import SignaturePad from "signature_pad";
import L from "leaflet";
import "leaflet/dist/leaflet.css";
import "./jquery";
import ionRange from "ion-rangeslider";
import "ion-rangeslider/css/ion.rangeSlider.css";

document.body.innerHTML = `<h1>Misc</h1><button id="tip">Help</button> <a href="#who" id="card">@ole</a> <button id="del">Leave</button><button id="ask">Rename</button>
<canvas id="pad" width="300" height="100" style="border:1px solid" aria-label="Signature"></canvas><div id="map" style="width:400px;height:200px"></div><p>Years <input id="years"></p>`;
const said = {};
tippy("#tip", { content: "Press to start" });
tippy("#card", { content: `<button id="follow">Follow</button>`, allowHTML: true, interactive: true, appendTo: document.body, onMount: (i) => { i.popper.querySelector("button").onclick = () => { said.followed = true; }; } });
document.getElementById("del").onclick = async () => { said.left = (await Swal.fire({ title: "Leave the group?", showCancelButton: true, confirmButtonText: "Yes, leave" })).isConfirmed; };
document.getElementById("ask").onclick = async () => { said.name = (await Swal.fire({ title: "New name", input: "text", showCancelButton: true })).value; };
const pad = new SignaturePad(document.getElementById("pad"));
const map = L.map("map", { zoomAnimation: false }).setView([59.9, 10.7], 8);
L.marker([59.9, 10.7], { title: "Oslo" }).addTo(map).on("click", () => { said.marker = "Oslo"; });
window.jQuery("#years").ionRangeSlider({ type: "double", min: 1990, max: 2030, from: 2000, to: 2020, onChange: (d) => { said.years = [d.from, d.to]; } });
window.state = () => ({ ...said, zoom: map.getZoom(), signed: !pad.isEmpty() });
