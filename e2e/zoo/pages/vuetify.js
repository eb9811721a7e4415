import { createApp, reactive } from "vue";
import { createVuetify } from "vuetify";
import { VApp, VAutocomplete, VBtn, VCard, VCheckbox, VCombobox, VDialog, VFileInput, VNumberInput, VSelect, VSlider, VSwitch, VTab, VTabs, VTextField, VTextarea, VDatePicker } from "vuetify/components";
import "vuetify/styles";

const v = reactive({ city: null, found: null, tags: [], extra: [], name: "", note: "", guests: 1, volume: 30, loud: false, agree: false, tab: "a", day: "2026-05-04", file: null, open: false, left: false });
const app = createApp({
  setup: () => ({ v, cities: ["Amsterdam", "Bergen", "Cologne", "Dublin", "Oslo", "Oulu"] }),
  template: `<v-app><h1>Booking</h1>
    <v-select label="City" :items="cities" v-model="v.city" />
    <v-autocomplete label="Search" :items="cities" v-model="v.found" />
    <v-select label="Tags" :items="cities" multiple chips v-model="v.tags" />
    <v-combobox label="Extra" :items="cities" multiple chips v-model="v.extra" />
    <v-text-field label="Name" v-model="v.name" />
    <v-textarea label="Note" v-model="v.note" />
    <v-number-input label="Guests" v-model="v.guests" :min="1" :max="9" />
    <v-slider label="Volume" v-model="v.volume" :step="1" />
    <v-switch label="Loud" v-model="v.loud" />
    <v-checkbox label="I agree" v-model="v.agree" />
    <v-tabs v-model="v.tab"><v-tab value="a">Posts</v-tab><v-tab value="b">Friends</v-tab></v-tabs>
    <v-file-input label="Passport" v-model="v.file" />
    <v-btn @click="v.open = true">Leave the club</v-btn>
    <v-dialog v-model="v.open" width="400"><v-card title="Leave the club?"><v-btn @click="v.left = true; v.open = false">Leave</v-btn></v-card></v-dialog>
    <v-date-picker v-model="v.day" /></v-app>`,
});
app.use(createVuetify({ components: { VApp, VAutocomplete, VBtn, VCard, VCheckbox, VCombobox, VDialog, VFileInput, VNumberInput, VSelect, VSlider, VSwitch, VTab, VTabs, VTextField, VTextarea, VDatePicker } }));
app.mount(document.body.appendChild(document.createElement("div")));
const local = (d) => new Date(d - d.getTimezoneOffset() * 60000).toISOString().slice(0, 10);
window.state = () => ({ ...v, file: v.file?.name, day: v.day instanceof Date ? local(v.day) : v.day });
