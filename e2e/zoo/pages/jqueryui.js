import $ from "./jquery.js";
import "jquery-ui/dist/jquery-ui.js";
import "jquery-ui/dist/themes/base/jquery-ui.css";

document.body.innerHTML = `<h1>Booking</h1>
<label>Near <input id="near"></label>
<label for="speed">Speed</label> <select id="speed"><option>Slow</option><option selected>Medium</option><option>Fast</option></select>
<label>Arrival <input id="day" value="2026-05-04"></label>
<label>Guests <input id="guests" value="1"></label>
<div id="volume" style="width: 300px; margin: 20px"></div>
<ul id="list" style="width: 200px">${["Apple", "Banana", "Cherry", "Date"].map((f) => `<li class="ui-state-default" style="padding: 6px">${f}</li>`).join("")}</ul>
<div id="card" class="ui-widget-content" style="width: 80px">Card</div>
<div id="bin" class="ui-widget-header" style="width: 150px; height: 80px">Archive</div>
<div id="tabs"><ul><li><a href="#a">Posts</a></li><li><a href="#b">Friends</a></li></ul><div id="a">All posts</div><div id="b">All friends</div></div>
<div id="acc"><h3>First</h3><div>One</div><h3>Second</h3><div>Two</div></div>
<button id="leave">Leave the club</button><div id="sure" title="Leave the club?">Sure?</div>`;
const did = {};
$("#near").autocomplete({ source: ["Amsterdam", "Bergen", "Cologne", "Oslo", "Oulu"], select: (_, ui) => { did.near = ui.item.value; } });
$("#speed").selectmenu();
$("#day").datepicker({ dateFormat: "yy-mm-dd" });
$("#guests").spinner({ min: 1, max: 9 });
$("#volume").slider({ value: 30 });
$("#list").sortable();
$("#card").draggable({ revert: "invalid" });
$("#bin").droppable({ drop: () => { did.dropped = true; } });
$("#tabs").tabs();
$("#acc").accordion();
$("#sure").dialog({ autoOpen: false, modal: true, buttons: { Leave() { did.left = true; $(this).dialog("close"); }, Stay() { $(this).dialog("close"); } } });
$("#leave").on("click", () => $("#sure").dialog("open"));
window.state = () => ({
  speed: $("#speed").val(), day: $.datepicker.formatDate("yy-mm-dd", $("#day").datepicker("getDate")), guests: $("#guests").spinner("value"), volume: $("#volume").slider("value"),
  list: $("#list li").get().map((li) => li.textContent), tab: $("#tabs").tabs("option", "active"), acc: $("#acc").accordion("option", "active"), ...did,
});
