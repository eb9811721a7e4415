import { createApp, reactive } from "vue";
import { NAutoComplete, NButton, NCascader, NCheckbox, NConfigProvider, NDatePicker, NDynamicTags, NForm, NFormItem, NInput, NInputNumber, NRadioButton, NRadioGroup, NRate, NSelect, NSlider, NSwitch, NTimePicker, NUpload } from "naive-ui";

const cities = ["Amsterdam", "Bergen", "Cologne", "Dublin", "Oslo", "Oulu"].map((value) => ({ value, label: value }));
const places = [
  { value: "no", label: "Norway", children: [{ value: "osl", label: "Oslo" }, { value: "brg", label: "Bergen" }] },
  { value: "fi", label: "Finland", children: [{ value: "oul", label: "Oulu" }, { value: "hel", label: "Helsinki" }] },
];
const v = reactive({ city: null, found: null, tags: [], place: null, name: "", guests: 1, volume: 30, loud: false, agree: false, size: "Small", day: "2026-05-04", call: null, stars: 2, files: [], labels: [] });
createApp({
  components: { NAutoComplete, NButton, NCascader, NCheckbox, NConfigProvider, NDatePicker, NDynamicTags, NForm, NFormItem, NInput, NInputNumber, NRadioButton, NRadioGroup, NRate, NSelect, NSlider, NSwitch, NTimePicker, NUpload },
  setup: () => ({ v, cities, places }),
  template: `<n-config-provider><h1>Booking</h1><n-form style="width: 500px">
    <n-form-item label="City"><n-select v-model:value="v.city" :options="cities" /></n-form-item>
    <n-form-item label="Search"><n-select v-model:value="v.found" filterable :options="cities" /></n-form-item>
    <n-form-item label="Tags"><n-select v-model:value="v.tags" multiple :options="cities" /></n-form-item>
    <n-form-item label="Place"><n-cascader v-model:value="v.place" :options="places" check-strategy="child" /></n-form-item>
    <n-form-item label="Name"><n-input v-model:value="v.name" /></n-form-item>
    <n-form-item label="Guests"><n-input-number v-model:value="v.guests" :min="1" :max="9" /></n-form-item>
    <n-form-item label="Volume"><n-slider v-model:value="v.volume" /></n-form-item>
    <n-form-item label="Loud"><n-switch v-model:value="v.loud" /></n-form-item>
    <n-form-item label="Terms"><n-checkbox v-model:checked="v.agree">I agree</n-checkbox></n-form-item>
    <n-form-item label="Size"><n-radio-group v-model:value="v.size"><n-radio-button value="Small" label="Small" /><n-radio-button value="Large" label="Large" /></n-radio-group></n-form-item>
    <n-form-item label="Arrival"><n-date-picker v-model:formatted-value="v.day" type="date" value-format="yyyy-MM-dd" /></n-form-item>
    <n-form-item label="Call at"><n-time-picker v-model:formatted-value="v.call" value-format="HH:mm" format="HH:mm" /></n-form-item>
    <n-form-item label="Stars"><n-rate v-model:value="v.stars" /></n-form-item>
    <n-form-item label="Passport"><n-upload v-model:file-list="v.files" :default-upload="false"><n-button>Attach</n-button></n-upload></n-form-item>
    <n-form-item label="Labels"><n-dynamic-tags v-model:value="v.labels" /></n-form-item></n-form></n-config-provider>`,
}).mount(document.body.appendChild(document.createElement("div")));
window.state = () => ({ ...v, files: v.files.map((f) => f.name) });
