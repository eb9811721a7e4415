import Choices from "choices.js";
import "choices.js/public/assets/styles/choices.css";

const options = ["Amsterdam", "Bergen", "Cologne", "Dublin", "Oslo", "Oulu"].map((c) => `<option value="${c}">${c}</option>`).join("");
document.body.innerHTML = `<h1>Booking</h1>
<label for="city">City</label><select id="city"><option value="">Choose a city</option>${options}</select>
<label for="tags">Tags</label><select id="tags" multiple>${options}</select>
<label for="own">Own words</label><input id="own">`;
const of = (id, more) => new Choices(document.getElementById(id), { allowHTML: false, ...more });
const city = of("city", { labelId: "city" });
const tags = of("tags", { removeItemButton: true });
const own = of("own", { removeItemButton: true });
window.state = () => ({ city: city.getValue(true), tags: tags.getValue(true), own: own.getValue(true) });
