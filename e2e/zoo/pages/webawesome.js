import "@awesome.me/webawesome/dist/styles/webawesome.css";
import "@awesome.me/webawesome/dist/components/button/button.js";
import "@awesome.me/webawesome/dist/components/checkbox/checkbox.js";
import "@awesome.me/webawesome/dist/components/dialog/dialog.js";
import "@awesome.me/webawesome/dist/components/dropdown/dropdown.js";
import "@awesome.me/webawesome/dist/components/dropdown-item/dropdown-item.js";
import "@awesome.me/webawesome/dist/components/input/input.js";
import "@awesome.me/webawesome/dist/components/option/option.js";
import "@awesome.me/webawesome/dist/components/radio/radio.js";
import "@awesome.me/webawesome/dist/components/radio-group/radio-group.js";
import "@awesome.me/webawesome/dist/components/rating/rating.js";
import "@awesome.me/webawesome/dist/components/select/select.js";
import "@awesome.me/webawesome/dist/components/slider/slider.js";
import "@awesome.me/webawesome/dist/components/switch/switch.js";
import "@awesome.me/webawesome/dist/components/tab/tab.js";
import "@awesome.me/webawesome/dist/components/tab-group/tab-group.js";
import "@awesome.me/webawesome/dist/components/tab-panel/tab-panel.js";
import "@awesome.me/webawesome/dist/components/textarea/textarea.js";

document.documentElement.className = "wa-theme-default";
const options = ["Amsterdam", "Bergen", "Oslo", "Oulu"].map((c) => `<wa-option value="${c}">${c}</wa-option>`).join("");
document.body.innerHTML = `<h1>Booking</h1>
<wa-select id="city" label="City">${options}</wa-select>
<wa-select id="tags" label="Tags" multiple>${options}</wa-select>
<wa-input id="name" label="Name"></wa-input>
<wa-input id="day" type="date" label="Arrival" value="2026-05-04"></wa-input>
<wa-textarea id="note" label="Note"></wa-textarea>
<wa-slider id="volume" label="Volume" value="30"></wa-slider>
<wa-switch id="loud">Loud</wa-switch> <wa-checkbox id="agree">I agree</wa-checkbox>
<wa-radio-group id="plan" label="Plan" value="free"><wa-radio value="free">free</wa-radio><wa-radio value="pro">pro</wa-radio></wa-radio-group>
<wa-rating id="stars" label="Stars" value="2"></wa-rating>
<wa-dropdown id="file"><wa-button slot="trigger">File</wa-button><wa-dropdown-item value="new">New</wa-dropdown-item><wa-dropdown-item value="open">Open</wa-dropdown-item></wa-dropdown>
<wa-tab-group id="tabs"><wa-tab panel="a">Posts</wa-tab><wa-tab panel="b">Friends</wa-tab><wa-tab-panel name="a">All posts</wa-tab-panel><wa-tab-panel name="b">All friends</wa-tab-panel></wa-tab-group>
<wa-button id="leave">Leave the club</wa-button>
<wa-dialog id="sure" label="Leave the club?"><wa-button id="yes" slot="footer">Leave</wa-button></wa-dialog>`;
const at = (id) => document.getElementById(id);
const did = {};
at("file").addEventListener("wa-select", (e) => { did.did = e.detail.item.value; });
at("tabs").addEventListener("wa-tab-show", (e) => { did.tab = e.detail.name; });
at("leave").onclick = () => { at("sure").open = true; };
at("yes").onclick = () => { did.left = true; at("sure").open = false; };
window.state = () => ({
  city: at("city").value, tags: at("tags").value, name: at("name").value, day: at("day").value, note: at("note").value, volume: at("volume").value,
  loud: at("loud").checked, agree: at("agree").checked, plan: at("plan").value, stars: at("stars").value, ...did,
});
