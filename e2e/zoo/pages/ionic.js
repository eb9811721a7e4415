import "@ionic/core/css/core.css";
import "@ionic/core/css/normalize.css";
import "@ionic/core/css/structure.css";
import "@ionic/core/css/typography.css";
import { initialize } from "@ionic/core/components";
import { defineCustomElement as app } from "@ionic/core/components/ion-app.js";
import { defineCustomElement as content } from "@ionic/core/components/ion-content.js";
import { defineCustomElement as button } from "@ionic/core/components/ion-button.js";
import { defineCustomElement as checkbox } from "@ionic/core/components/ion-checkbox.js";
import { defineCustomElement as datetime } from "@ionic/core/components/ion-datetime.js";
import { defineCustomElement as input } from "@ionic/core/components/ion-input.js";
import { defineCustomElement as item } from "@ionic/core/components/ion-item.js";
import { defineCustomElement as label } from "@ionic/core/components/ion-label.js";
import { defineCustomElement as list } from "@ionic/core/components/ion-list.js";
import { defineCustomElement as radio } from "@ionic/core/components/ion-radio.js";
import { defineCustomElement as radioGroup } from "@ionic/core/components/ion-radio-group.js";
import { defineCustomElement as range } from "@ionic/core/components/ion-range.js";
import { defineCustomElement as segment } from "@ionic/core/components/ion-segment.js";
import { defineCustomElement as segmentButton } from "@ionic/core/components/ion-segment-button.js";
import { defineCustomElement as select } from "@ionic/core/components/ion-select.js";
import { defineCustomElement as selectOption } from "@ionic/core/components/ion-select-option.js";
import { defineCustomElement as textarea } from "@ionic/core/components/ion-textarea.js";
import { defineCustomElement as toggle } from "@ionic/core/components/ion-toggle.js";

initialize();
for (const define of [app, content, button, checkbox, datetime, input, item, label, list, radio, radioGroup, range, segment, segmentButton, select, selectOption, textarea, toggle]) define();
const options = ["Amsterdam", "Bergen", "Oslo", "Oulu"].map((c) => `<ion-select-option value="${c}">${c}</ion-select-option>`).join("");
document.body.innerHTML = `<ion-app><ion-content><h1>Booking</h1><ion-list>
<ion-item><ion-select id="city" label="City" interface="alert">${options}</ion-select></ion-item>
<ion-item><ion-select id="near" label="Near" interface="popover">${options}</ion-select></ion-item>
<ion-item><ion-select id="tags" label="Tags" multiple>${options}</ion-select></ion-item>
<ion-item><ion-input id="name" label="Name"></ion-input></ion-item>
<ion-item><ion-textarea id="note" label="Note"></ion-textarea></ion-item>
<ion-item><ion-range id="volume" label="Volume" value="30"></ion-range></ion-item>
<ion-item><ion-toggle id="loud">Loud</ion-toggle></ion-item>
<ion-item><ion-checkbox id="agree">I agree</ion-checkbox></ion-item>
<ion-radio-group id="plan" value="free"><ion-item><ion-radio value="free">free</ion-radio></ion-item><ion-item><ion-radio value="pro">pro</ion-radio></ion-item></ion-radio-group>
<ion-segment id="tab" value="a"><ion-segment-button value="a">Posts</ion-segment-button><ion-segment-button value="b">Friends</ion-segment-button></ion-segment>
</ion-list><ion-datetime id="day" presentation="date" value="2026-05-04"></ion-datetime></ion-content></ion-app>`;
const at = (id) => document.getElementById(id);
window.state = () => ({
  city: at("city").value, near: at("near").value, tags: at("tags").value, name: at("name").value, note: at("note").value, volume: at("volume").value,
  loud: at("loud").checked, agree: at("agree").checked, plan: at("plan").value, tab: at("tab").value, day: at("day").value?.slice(0, 10),
});
