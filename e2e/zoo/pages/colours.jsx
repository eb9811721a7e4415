import { useState } from "react";
import { createRoot } from "react-dom/client";
import { HexColorPicker, HexColorInput } from "react-colorful";
import Pickr from "@simonwep/pickr";
import "@simonwep/pickr/dist/themes/classic.min.css";
import Picker from "vanilla-picker";

const state = {};
function Form() {
  const [c, setC] = useState("#336699");
  state.react = c;
  return <><h1>Colours</h1><HexColorPicker color={c} onChange={setC} /><label>Ink <HexColorInput color={c} onChange={setC} /></label></>;
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<Form />);
document.body.insertAdjacentHTML("beforeend", `<p>Paper <span id="pickr"></span></p><button id="van">Frame</button>`);
const pickr = Pickr.create({ el: "#pickr", theme: "classic", default: "#42445a", swatches: ["#ff0000", "#00ff00"], components: { preview: true, hue: true, interaction: { input: true, save: true } } });
pickr.on("save", (c) => { state.pickr = c.toHEXA().toString(); });
new Picker({ parent: document.getElementById("van"), popup: "right", color: "#112233", alpha: false, onDone: (c) => { state.vanilla = c.hex.slice(0, 7); } });
window.state = () => state;
