import { createApp, reactive } from "vue";
import PrimeVue from "primevue/config";
import Aura from "@primeuix/themes/aura";
import AutoComplete from "primevue/autocomplete";
import CascadeSelect from "primevue/cascadeselect";
import Checkbox from "primevue/checkbox";
import DatePicker from "primevue/datepicker";
import FileUpload from "primevue/fileupload";
import InputMask from "primevue/inputmask";
import InputNumber from "primevue/inputnumber";
import InputText from "primevue/inputtext";
import MultiSelect from "primevue/multiselect";
import OrderList from "primevue/orderlist";
import Select from "primevue/select";
import SelectButton from "primevue/selectbutton";
import Slider from "primevue/slider";
import ToggleSwitch from "primevue/toggleswitch";

const cities = ["Amsterdam", "Bergen", "Cologne", "Dublin", "Oslo", "Oulu"];
const v = reactive({ city: null, tags: [], near: "", name: "", guests: 1, price: 10, phone: "", volume: 30, loud: false, agree: false, size: "Small", day: new Date(2026, 4, 4), stay: null, file: null, hits: [] });
const app = createApp({
  setup: () => ({ v, cities, search: (e) => { v.hits = cities.filter((c) => c.toLowerCase().includes(e.query.toLowerCase())); }, took: (e) => { v.file = e.files[0]?.name; } }),
  template: `<h1>Booking</h1>
    <p><label for="city">City</label> <Select inputId="city" labelId="city" :options="cities" v-model="v.city" placeholder="Choose" aria-label="City" /></p>
    <p><MultiSelect :options="cities" v-model="v.tags" aria-label="Tags" placeholder="Tags" style="width: 300px" /></p>
    <p><label for="near">Near</label> <AutoComplete inputId="near" :suggestions="v.hits" @complete="search" v-model="v.near" /></p>
    <p><label for="name">Name</label> <InputText id="name" v-model="v.name" /></p>
    <p><label for="guests">Guests</label> <InputNumber inputId="guests" showButtons v-model="v.guests" :min="1" :max="9" /></p>
    <p><label for="price">Price</label> <InputNumber inputId="price" mode="currency" currency="USD" locale="en-US" v-model="v.price" /></p>
    <p><label for="phone">Phone</label> <InputMask id="phone" mask="(999) 999-9999" v-model="v.phone" /></p>
    <p style="width: 300px"><Slider v-model="v.volume" aria-label="Volume" /></p>
    <p><label for="loud">Loud</label> <ToggleSwitch inputId="loud" v-model="v.loud" /></p>
    <p><Checkbox inputId="agree" binary v-model="v.agree" /> <label for="agree">I agree</label></p>
    <p><SelectButton v-model="v.size" :options="['Small', 'Large']" /></p>
    <p><label for="day">Arrival</label> <DatePicker inputId="day" v-model="v.day" dateFormat="yy-mm-dd" /></p>
    <p><label for="stay">Stay</label> <DatePicker inputId="stay" v-model="v.stay" selectionMode="range" dateFormat="yy-mm-dd" /></p>
    <p><FileUpload mode="basic" customUpload @select="took" chooseLabel="Attach" /></p>`,
});
app.use(PrimeVue, { theme: { preset: Aura } });
for (const [name, c] of Object.entries({ AutoComplete, CascadeSelect, Checkbox, DatePicker, FileUpload, InputMask, InputNumber, InputText, MultiSelect, OrderList, Select, SelectButton, Slider, ToggleSwitch })) app.component(name, c);
app.mount(document.body.appendChild(document.createElement("div")));
const local = (d) => d && new Date(d - d.getTimezoneOffset() * 60000).toISOString().slice(0, 10);
window.state = () => ({ ...v, day: local(v.day), stay: v.stay?.map(local) });
