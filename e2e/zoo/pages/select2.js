import $ from "./jquery.js";
import select2 from "select2";
import "select2/dist/css/select2.css";

select2(window, $);
const options = ["Amsterdam", "Bergen", "Cologne", "Dublin", "Oslo", "Oulu"].map((c) => `<option>${c}</option>`).join("");
document.body.innerHTML = `<h1>Booking</h1>
<p><label for="city">City</label> <select id="city" style="width: 300px"><option></option>${options}</select></p>
<p><label for="tags">Tags</label> <select id="tags" multiple style="width: 300px">${options}</select></p>
<p><label for="own">Own words</label> <select id="own" multiple style="width: 300px"></select></p>
<p><label for="far">Far away</label> <select id="far" style="width: 300px"></select></p>`;
$("#city").select2({ placeholder: "Choose" });
$("#tags").select2();
$("#own").select2({ tags: true });
$("#far").select2({
  minimumInputLength: 1,
  ajax: {
    delay: 200,
    transport: (params, done) => setTimeout(() => done({ results: ["Perth", "Lima", "Lagos"].filter((c) => c.toLowerCase().includes(params.data.term.toLowerCase())).map((id) => ({ id, text: id })) }), 200),
  },
});
window.state = () => ({ city: $("#city").val(), tags: $("#tags").val(), own: $("#own").val(), far: $("#far").val() });
