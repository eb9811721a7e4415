import Tagify from "@yaireo/tagify";
import "@yaireo/tagify/dist/tagify.css";
import IMask from "imask";
import Inputmask from "inputmask";
import intlTelInput from "intl-tel-input";
import "intl-tel-input/build/css/intlTelInput.css";
import noUiSlider from "nouislider";
import "nouislider/dist/nouislider.css";
import Tribute from "tributejs";
import "tributejs/dist/tribute.css";

document.body.innerHTML = `<h1>Profile</h1>
<p><label>Skills <input id="tags" value="go"></label></p>
<p><label>Card <input id="card"></label></p><p><label>Born <input id="born"></label></p><p><label>Amount <input id="amount"></label></p>
<p><label>Phone <input id="phone" type="tel"></label></p>
<p>Price</p><div id="price" style="width:300px;margin:20px 20px 60px"></div>
<p><label>Comment <textarea id="comment" rows="3" cols="40"></textarea></label></p>`;
const $ = (id) => document.getElementById(id);
const tags = new Tagify($("tags"), { whitelist: ["go", "rust", "zig", "ocaml"], dropdown: { enabled: 0 } });
const card = IMask($("card"), { mask: "0000 0000 0000 0000" });
Inputmask({ alias: "datetime", inputFormat: "dd/mm/yyyy" }).mask($("born"));
const amount = IMask($("amount"), { mask: Number, thousandsSeparator: ",", radix: ".", scale: 2 });
const phone = intlTelInput($("phone"), { initialCountry: "no", separateDialCode: true, formatAsYouType: true });
const price = noUiSlider.create($("price"), { start: [20, 80], connect: true, range: { min: 0, max: 100 }, handleAttributes: [{ "aria-label": "Least" }, { "aria-label": "Most" }] });
new Tribute({ values: [{ key: "Ida Lind", value: "ida" }, { key: "Ole Dahl", value: "ole" }] }).attach($("comment"));
window.state = () => ({
  tags: tags.value.map((t) => t.value), card: card.unmaskedValue, born: $("born").value, amount: amount.typedValue, country: phone.getSelectedCountryData().iso2, phone: $("phone").value.replace(/\D/g, ""),
  price: price.get().map(Number), comment: $("comment").value,
});
