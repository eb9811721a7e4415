import "@material/web/button/filled-button.js";
import "@material/web/checkbox/checkbox.js";
import "@material/web/chips/chip-set.js";
import "@material/web/chips/filter-chip.js";
import "@material/web/dialog/dialog.js";
import "@material/web/menu/menu.js";
import "@material/web/menu/menu-item.js";
import "@material/web/radio/radio.js";
import "@material/web/select/outlined-select.js";
import "@material/web/select/select-option.js";
import "@material/web/slider/slider.js";
import "@material/web/switch/switch.js";
import "@material/web/tabs/tabs.js";
import "@material/web/tabs/primary-tab.js";
import "@material/web/textfield/outlined-text-field.js";

document.body.innerHTML = `<h1>Booking</h1>
<md-outlined-select id="city" label="City">${["Amsterdam", "Bergen", "Oslo", "Oulu"].map((c) => `<md-select-option value="${c}"><div slot="headline">${c}</div></md-select-option>`).join("")}</md-outlined-select>
<md-outlined-text-field id="name" label="Name"></md-outlined-text-field>
<md-outlined-text-field id="note" type="textarea" label="Note"></md-outlined-text-field>
<md-slider id="volume" aria-label="Volume" value="30"></md-slider>
<label>Loud <md-switch id="loud"></md-switch></label>
<label><md-checkbox id="agree"></md-checkbox> I agree</label>
<md-radio id="free" name="plan" value="free" checked aria-label="free"></md-radio><md-radio id="pro" name="plan" value="pro" aria-label="pro"></md-radio>
<md-chip-set><md-filter-chip id="wifi" label="Wifi"></md-filter-chip><md-filter-chip id="pool" label="Pool"></md-filter-chip></md-chip-set>
<md-tabs id="tabs"><md-primary-tab>Posts</md-primary-tab><md-primary-tab>Friends</md-primary-tab></md-tabs>
<span style="position: relative"><md-filled-button id="file">File</md-filled-button>
<md-menu id="menu" anchor="file"><md-menu-item id="new"><div slot="headline">New</div></md-menu-item><md-menu-item id="open"><div slot="headline">Open</div></md-menu-item></md-menu></span>
<md-filled-button id="leave">Leave the club</md-filled-button>
<md-dialog id="sure"><div slot="headline">Leave the club?</div><div slot="actions"><md-filled-button id="yes">Leave</md-filled-button></div></md-dialog>`;
const at = (id) => document.getElementById(id);
const did = {};
at("file").onclick = () => { at("menu").open = !at("menu").open; };
for (const id of ["new", "open"]) at(id).addEventListener("click", () => { did.did = id; });
at("leave").onclick = () => at("sure").show();
at("yes").onclick = () => { did.left = true; at("sure").close(); };
window.state = () => ({
  city: at("city").value, name: at("name").value, note: at("note").value, volume: at("volume").value, loud: at("loud").selected, agree: at("agree").checked,
  plan: at("pro").checked ? "pro" : "free", wifi: at("wifi").selected, tab: at("tabs").activeTabIndex, ...did,
});
