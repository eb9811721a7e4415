import { createApp, reactive } from "vue";
import ElementPlus from "element-plus";
import "element-plus/dist/index.css";

const places = [
  { value: "no", label: "Norway", children: [{ value: "osl", label: "Oslo" }, { value: "brg", label: "Bergen" }] },
  { value: "fi", label: "Finland", children: [{ value: "oul", label: "Oulu" }, { value: "hel", label: "Helsinki" }] },
];
const v = reactive({ city: "", tags: [], near: "", place: [], name: "", guests: 1, volume: 30, loud: false, agree: false, size: "Small", day: "2026-05-04", stay: [], call: "", files: [], stars: 2, tab: "a", sorted: null });
const cities = ["Amsterdam", "Bergen", "Cologne", "Dublin", "Oslo", "Oulu"];
createApp({
  setup: () => ({
    v, places, cities, rows: [{ name: "Pear", price: 3 }, { name: "Apple", price: 2 }, { name: "Plum", price: 1 }],
    suggest: (q, done) => done(cities.filter((c) => c.toLowerCase().includes(q.toLowerCase())).map((value) => ({ value }))),
    order: ({ prop, order }) => { v.sorted = [prop, order]; },
  }),
  template: `<h1>Booking</h1><el-form label-width="100px" style="width: 500px">
    <el-form-item label="City"><el-select v-model="v.city"><el-option v-for="c in cities" :key="c" :label="c" :value="c" /></el-select></el-form-item>
    <el-form-item label="Tags"><el-select v-model="v.tags" multiple filterable><el-option v-for="c in cities" :key="c" :label="c" :value="c" /></el-select></el-form-item>
    <el-form-item label="Near"><el-autocomplete v-model="v.near" :fetch-suggestions="suggest" /></el-form-item>
    <el-form-item label="Place"><el-cascader v-model="v.place" :options="places" /></el-form-item>
    <el-form-item label="Name"><el-input v-model="v.name" /></el-form-item>
    <el-form-item label="Guests"><el-input-number v-model="v.guests" :min="1" :max="9" /></el-form-item>
    <el-form-item label="Volume"><el-slider v-model="v.volume" aria-label="Volume" /></el-form-item>
    <el-form-item label="Loud"><el-switch v-model="v.loud" /></el-form-item>
    <el-form-item label="Terms"><el-checkbox v-model="v.agree">I agree</el-checkbox></el-form-item>
    <el-form-item label="Size"><el-radio-group v-model="v.size"><el-radio-button value="Small" label="Small" /><el-radio-button value="Large" label="Large" /></el-radio-group></el-form-item>
    <el-form-item label="Arrival"><el-date-picker v-model="v.day" type="date" value-format="YYYY-MM-DD" /></el-form-item>
    <el-form-item label="Stay"><el-date-picker v-model="v.stay" type="daterange" value-format="YYYY-MM-DD" start-placeholder="From" end-placeholder="Until" /></el-form-item>
    <el-form-item label="Call at"><el-time-picker v-model="v.call" value-format="HH:mm" format="HH:mm" /></el-form-item>
    <el-form-item label="Passport"><el-upload v-model:file-list="v.files" :auto-upload="false"><el-button>Attach</el-button></el-upload></el-form-item>
    <el-form-item label="Stars"><el-rate v-model="v.stars" /></el-form-item></el-form>
    <el-tabs v-model="v.tab"><el-tab-pane label="Posts" name="a">All posts</el-tab-pane><el-tab-pane label="Friends" name="b">All friends</el-tab-pane></el-tabs>
    <el-table :data="rows" @sort-change="order"><el-table-column prop="name" label="Fruit" sortable /><el-table-column prop="price" label="Price" sortable /></el-table>`,
}).use(ElementPlus).mount(document.body.appendChild(document.createElement("div")));
window.state = () => ({ ...v, files: v.files.map((f) => f.name) });
