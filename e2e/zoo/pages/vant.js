import { createApp, h, reactive } from "vue";
import { Cascader, DatePicker, Field, NumberKeyboard, PasswordInput, Picker, Popup, Stepper, SwipeCell, Swipe, SwipeItem, TimePicker, Button, Cell, Rate, Slider } from "vant";
import "vant/lib/index.css";

const v = reactive({ code: "", show: "", n: 1, range: [20, 60], slide: 0 });
const open = (name, label) => h(Field, { label, modelValue: v[name] ?? "", readonly: true, isLink: true, placeholder: "Choose " + label.toLowerCase(), onClick: () => { v.show = name; } });
const popup = (name, make) => h(Popup, { show: v.show === name, "onUpdate:show": (x) => { if (!x) v.show = ""; }, position: "bottom" }, make);
const done = (name) => ({ selectedValues }) => { v[name] = selectedValues.join(name === "time" ? ":" : "-"); v.show = ""; };
createApp({
  render: () => [
    h("h1", "Order"),
    open("time", "Time"), open("day", "Day"), open("place", "Place"), open("pick", "Drink"),
    popup("time", () => h(TimePicker, { title: "Time", modelValue: ["12", "00"], onConfirm: done("time") })),
    popup("day", () => h(DatePicker, { title: "Day", modelValue: ["2026", "05", "04"], minDate: new Date(2026, 0, 1), maxDate: new Date(2027, 11, 31), onConfirm: done("day") })),
    popup("pick", () => h(Picker, { title: "Drink", columns: ["Coffee", "Juice", "Milk", "Tea", "Water"].map((text) => ({ text, value: text })), onConfirm: done("pick") })),
    popup("place", () => h(Cascader, { title: "Place", options: [{ text: "Norway", value: "no", children: [{ text: "Oslo", value: "osl" }, { text: "Bergen", value: "brg" }] }], onFinish: ({ value }) => { v.place = value; v.show = ""; } })),
    h(Stepper, { modelValue: v.n, "onUpdate:modelValue": (n) => { v.n = n; } }),
    h(Rate, { modelValue: v.stars ?? 0, "onUpdate:modelValue": (n) => { v.stars = n; } }),
    h("div", { style: "padding:20px;width:300px" }, h(Slider, { range: true, modelValue: v.range, "onUpdate:modelValue": (r) => { v.range = r; } })),
    h(SwipeCell, {}, { default: () => h(Cell, { title: "Ida Lind" }), right: () => h(Button, { square: true, type: "danger", text: "Delete", onClick: () => { v.gone = true; } }) }),
    h(Swipe, { style: "width:300px;background:#cde", loop: false, onChange: (i) => { v.slide = i; } }, () => ["One", "Two", "Three"].map((s) => h(SwipeItem, { style: "height:60px" }, () => s))),
  ],
}).mount(document.body.appendChild(document.createElement("div")));
window.state = () => ({ ...v });
