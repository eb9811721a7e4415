import TomSelect from "tom-select";
import "tom-select/dist/css/tom-select.css";

const options = ["Amsterdam", "Bergen", "Cologne", "Dublin", "Oslo", "Oulu"].map((c) => `<option value="${c}">${c}</option>`).join("");
document.body.innerHTML = `<h1>Booking</h1>
<label for="city">City</label><select id="city"><option value="">Choose a city</option>${options}</select>
<label for="tags">Tags</label><select id="tags" multiple>${options}</select>
<label for="own">Own words</label><input id="own">
<label for="far">Far away</label><select id="far"></select>`;
const city = new TomSelect("#city", {});
const tags = new TomSelect("#tags", { plugins: ["remove_button"] });
const own = new TomSelect("#own", { create: true });
const far = new TomSelect("#far", {
  valueField: "value", labelField: "value", searchField: "value",
  load: (query, done) => setTimeout(() => done(["Perth", "Lima", "Lagos"].filter((c) => c.toLowerCase().includes(query.toLowerCase())).map((value) => ({ value }))), 200),
});
window.state = () => ({ city: city.getValue(), tags: tags.getValue(), own: own.getValue().split(",").filter(Boolean), far: far.getValue() });
