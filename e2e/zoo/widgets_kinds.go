package zoo

// more are the kinds of widgets that the libraries above have not: lists of two sides,
// trees, colours, drums, drop zones, cards on hover, toasts, consoles.
var more = []Widget{
	{"More kinds", "Ant Design", "antdmore.jsx", false, []Deed{
		{Kind: choose, What: "to the other list", Want: p{"team": []string{"1"}}, Steps: []Step{click(`checkbox "Bob"`), click(`button "right"`)}},
		{Kind: write, What: "a mention", Want: p{"note": "Hi @ole "}, Steps: []Step{fill(`textbox "Write to"`, "Hi @ol"), click(`"Ole Dahl"`)}},
		{Kind: pressing, What: "a star", Want: p{"stars": 4}, Steps: []Step{click(`radio "star star"#4`)}},
		{Kind: drag, What: "a slider with two handles", Want: p{"range": []int{20, 80}}, Steps: []Step{pick(`slider "Most"`, "80")}},
		{Kind: pressing, What: "a step", Want: p{"step": 2}, Steps: []Step{click(`button "3 Pay"`)}},
		{Kind: choose, What: "a colour", Want: p{"colour": "#ff0000"}, Steps: []Step{click(`"#1677FF"`), fill(`textbox in "HEX"`, "ff0000"), press("Enter")}},
		{Kind: choose, What: "beside a button", Want: p{"did": "as"}, Steps: []Step{click(`button "ellipsis"`), click(`menuitem "Save as"`)}},
		{Kind: choose, What: "in a context menu", Want: p{"did": "copy"}, Steps: []Step{act("click", `"Report.pdf"`, p{"button": "right"}), click(`menuitem "Copy"`)}},
		{Kind: pressing, What: "in a card on hover", Want: p{"followed": true}, Steps: []Step{act("hover", `link "@ada"`), click(`button "Follow"`)}},
		{Kind: pressing, What: "a row open", Want: p{"open": []string{"eu"}}, Steps: []Step{click(`button "Expand row" in "Europe"`)}},
		{Kind: choose, What: "a row of a tree", Want: p{"checked": []string{"fi"}}, Steps: []Step{click(`button "Expand row" in "Europe"`), act("check", `checkbox in "Finland"`)}},
		{Kind: sorting, What: "in a tree", Want: p{"moved": []string{"a1", "b"}}, Steps: []Step{dragTo(`treeitem "Letter"`, `treeitem "Bill"`)}},
		{Kind: pressing, What: "in an accordion", Want: p{"express": true}, Steps: []Step{click(`button "Shipping"`), click(`button "Express"`)}},
		{Kind: pressing, What: "the next slide", Want: p{"slide": 1}, Steps: []Step{click(`button "Next slide"`)}},
		{Kind: write, What: "a code", Want: p{"code": "481205"}, Steps: []Step{fill(`textbox "OTP Input 1"`, "481205")}},
		{Kind: upload, What: "into a drop zone", Want: p{"file": "report.txt"}, Steps: []Step{giveFile(`button "Drop files here"`, "report.txt")}},
		{Kind: pressing, What: "undo in a toast", Want: p{"archived": false}, Steps: []Step{click(`button "Archive"`), click(`button "Undo"`)}},
	}},
	{"More kinds", "Radix, input-otp, Sonner", "radixmore.jsx", false, []Deed{
		{Kind: choose, What: "in a context menu", Want: p{"did": "rename"}, Steps: []Step{act("click", `"Invoice.pdf"`, p{"button": "right"}), click(`menuitem "Rename"`)}},
		{Kind: pressing, What: "in a card on hover", Want: p{"followed": true}, Steps: []Step{act("hover", `link "@ida"`), click(`button "Follow"`)}},
		{Kind: pressing, What: "an accordion", Want: p{"acc": "Returns"}, Steps: []Step{click(`button "Returns"`)}},
		{Kind: choose, What: "in a menu bar", Want: p{"did": "undo"}, Steps: []Step{click(`menuitem "Edit"`), click(`menuitem "Undo"`)}},
		{Kind: pressing, What: "in a navigation menu", Want: p{"went": "tea"}, Steps: []Step{click(`button "Products"`), click(`link "Tea"`)}},
		{Kind: write, What: "in a dialog of a dialog", Want: p{"title": "Party", "guest": "Ada", "saved": true}, Steps: []Step{click(`button "New event"`), fill(`textbox "Title"`, "Party"), click(`button "Add guest"`), fill(`textbox "Guest"`, "Ada"), click(`button "Done"`), click(`button "Save"`)}},
		{Kind: write, What: "a code", Want: p{"code": "481205"}, Steps: []Step{fill(`textbox "Code"`, "481205")}},
		{Kind: pressing, What: "undo in a toast", Want: p{"gone": false}, Steps: []Step{click(`button "Archive"`), click(`button "Undo"`)}},
	}},
	{"More kinds", "Virtuoso, React Data Grid", "lists.jsx", false, []Deed{
		{Kind: pressing, What: "what is far down a list", Want: p{"picked": 300}, Steps: []Step{act("scrollUntil", `"Contact 0"`, p{"text": "Contact 300", "maxScrolls": 100}), click(`"Contact 300"`)}},
		{Kind: pressing, What: "what is loaded by scrolling", Want: p{"liked": 70}, Steps: []Step{act("scrollUntil", `button "Like" in "Post 0"`, p{"text": "Post 70", "maxScrolls": 60}), click(`button "Like" in "Post 70"`)}},
		{Kind: write, What: "in a cell", Want: p{"row3": "Rome"}, Steps: []Step{act("click", `gridcell "Oslo" in "Person 3"`, p{"clicks": 2}), press("Control+a"), act("type", "", p{"text": "Rome"}), press("Enter")}},
	}},
	{"More kinds", "React Colorful", "colours.jsx", false, []Deed{
		{Kind: write, What: "a colour", Want: p{"react": "#ff8800"}, Steps: []Step{fill(`textbox "Ink"`, "ff8800")}},
		{Kind: drag, What: "a hue", Want: p{"react": "#996633"}, Steps: []Step{pick(`slider "Hue"`, "30")}},
	}},
	{"More kinds", "Pickr, vanilla-picker", "colours.jsx", false, []Deed{
		{Kind: choose, What: "a swatch", Want: p{"pickr": "#FF0000"}, Steps: []Step{click(`button "toggle color picker dialog"`), click(`"color swatch"#1`), click(`"Save"`)}},
		{Kind: write, What: "a colour", Want: p{"vanilla": "#ff8800"}, Steps: []Step{click(`button "Frame"`), fill(`textbox "Type a color name or hex value"`, "#ff8800"), click(`"Ok"`)}},
	}},
	{"More kinds", "React DayPicker", "ranges.jsx", false, []Deed{
		{Kind: date, What: "a range of two months", Want: p{"trip": []string{"2026-05-28", "2026-06-03"}}, Steps: []Step{click(`button "Thursday, May 28th, 2026"`), click(`button "Wednesday, June 3rd, 2026"`)}},
	}},
	{"More kinds", "Litepicker", "ranges.jsx", false, []Deed{
		{Kind: date, What: "a range of two months", Want: p{"stay": []string{"2026-05-28", "2026-06-03"}}, Steps: []Step{click(`textbox "Stay"`), click(`* "28"#1`), click(`* "3"#2`)}},
	}},
	{"More kinds", "Vanilla Calendar", "ranges.jsx", false, []Deed{
		{Kind: date, What: "a day and a time", Want: p{"cal": "2026-05-21", "time": "18:30"}, Steps: []Step{click(`button "May 21, 2026"`), fill(`textbox "Hours"`, "18"), press("Enter"), fill(`textbox "Minutes"`, "30"), press("Enter")}},
	}},
	{"More kinds", "Hello Pangea", "boards.jsx", false, []Deed{
		{Kind: sorting, What: "down a list", Want: p{"cols": p{"todo": []string{"Build", "Test", "Plan"}, "done": []string{"Ship"}}}, Steps: []Step{dragTo(`button "Plan"`, `button "Test"`)}},
		{Kind: sorting, What: "to another list", Want: p{"cols": p{"todo": []string{"Build", "Test"}, "done": []string{"Plan", "Ship"}}}, Steps: []Step{dragTo(`button "Plan"`, `button "Ship"`)}},
	}},
	{"More kinds", "React DnD", "boards.jsx", false, []Deed{
		{Kind: drag, What: "into a box", Want: p{"bin": "Glass"}, Steps: []Step{dragTo(`"Glass"`, `"Recycle"`)}},
	}},
	{"More kinds", "Dragula", "boards.jsx", false, []Deed{
		{Kind: sorting, What: "to another list", Want: p{"l": []string{"Green"}}, Steps: []Step{dragTo(`"Red"`, `"Blue"`)}},
	}},
	{"More kinds", "React Flow", "flowchart.jsx", false, []Deed{
		{Kind: drag, What: "a line between two", Want: p{"edges": []string{"a-b"}}, Steps: []Step{dragTo(`"handle nodrag nopan"#2 in "Start"`, `"handle nodrag nopan"#1 in "Review"`)}},
		{Kind: drag, What: "a node", Want: p{"moved": true}, Steps: []Step{dragTo(`"Review"`, `"End"`)}},
	}},
	{"More kinds", "PrimeVue", "primemore.js", false, []Deed{
		{Kind: choose, What: "to the other list", Want: p{"lists": [][]string{{"Ada", "Cyd"}, {"Bob"}}}, Steps: []Step{click(`option "Bob"`), click(`button "Move to Target"`)}},
		{Kind: sorting, What: "by a button", Want: p{"order": []string{"Banana", "Apple", "Cherry"}}, Steps: []Step{click(`option "Banana"`), click(`button "Move Up"#3`)}},
		{Kind: pressing, What: "a row open", Want: p{"open": []string{"0"}}, Steps: []Step{click(`button "treetable node toggle" in "Documents"`)}},
		{Kind: sorting, What: "rows by a handle", Want: p{"rows": []string{"Milk", "Tea", "Coffee"}}, Steps: []Step{dragTo(`img "datatable reorderable handle" in "Milk"`, `img "datatable reorderable handle" in "Tea"`)}},
		{Kind: choose, What: "in a context menu", Want: p{"did": "rename Photo"}, Steps: []Step{act("click", `"Photo"`, p{"button": "right"}), click(`menuitem "Rename"`)}},
		{Kind: choose, What: "beside a button", Want: p{"did": "later"}, Steps: []Step{click(`button "splitbutton dropdown"`), click(`menuitem "Send later"`)}},
		{Kind: pressing, What: "a star", Want: p{"stars": 4}, Steps: []Step{click(`"4 stars"`)}},
		{Kind: write, What: "a code", Want: p{"code": "1234"}, Steps: []Step{fill(`textbox #1`, "1234")}},
		{Kind: date, What: "a range of two months", Want: p{"trip": []string{"2026-05-04", "2026-06-03"}}, Steps: []Step{click(`* "3"#3`)}},
		{Kind: pressing, What: "in an accordion", Want: p{"gift": true}, Steps: []Step{click(`button "More"`), click(`button "Gift wrap"`)}},
	}},
	{"More kinds", "Vant", "vant.js", false, []Deed{
		{Kind: date, What: "a time on drums", Want: p{"time": "14:03"}, Steps: []Step{click(`button "Time"`), click(`"14"#1`), click(`"03"#2`), click(`"确认"`)}},
		{Kind: date, What: "a day on drums", Want: p{"day": "2026-07-06"}, Steps: []Step{click(`button "Day"`), click(`"07"#1`), click(`"06"#2`), click(`"确认"`)}},
		{Kind: choose, What: "on a drum", Want: p{"pick": "Tea"}, Steps: []Step{click(`button "Drink"`), click(`"Tea"`), click(`"确认"`)}},
		{Kind: choose, What: "in a cascader", Want: p{"place": "brg"}, Steps: []Step{click(`button "Place"`), click(`"Norway"`), click(`"Bergen"`)}},
		{Kind: pressing, What: "a stepper", Want: p{"n": 3}, Steps: []Step{click(`button "stepper plus haptics"`), click(`button "stepper plus haptics"`)}},
		{Kind: pressing, What: "a star", Want: p{"stars": 4}, Steps: []Step{click(`radio "badge star rate"#4`)}},
		{Kind: drag, What: "a slider with two handles", Want: p{"range": []int{20, 80}}, Steps: []Step{pick(`slider #2`, "80")}, Fails: "the slider reacts only to touches, and Tabwright uses the mouse"},
	}},
	{"More kinds", "Tagify", "fields.js", false, []Deed{
		{Kind: write, What: "tags", Want: p{"tags": []string{"go", "rust", "new"}}, Steps: []Step{add(`textbox "Tags input field"`, "rust"), press("Enter"), add(`textbox "Tags input field"`, "new"), press("Enter")}},
		{Kind: choose, What: "a tag", Want: p{"tags": []string{"go", "zig"}}, Steps: []Step{click(`textbox "Tags input field"`), click(`option "zig"`)}},
		{Kind: pressing, What: "a tag away", Want: p{"tags": []string{}}, Steps: []Step{click(`button "remove tag"`)}},
	}},
	{"More kinds", "IMask", "fields.js", false, []Deed{
		{Kind: write, What: "a card number", Want: p{"card": "4111111111111111"}, Steps: []Step{fill(`textbox "Card"`, "4111111111111111")}},
		{Kind: write, What: "an amount", Want: p{"amount": 1250.5}, Steps: []Step{fill(`textbox "Amount"`, "1,250.50"), press("Tab")}},
	}},
	{"More kinds", "Inputmask", "fields.js", false, []Deed{
		{Kind: date, What: "by typing", Want: p{"born": "21/05/1990"}, Steps: []Step{fill(`textbox "Born"`, "21/05/1990")}},
	}},
	{"More kinds", "intl-tel-input", "fields.js", false, []Deed{
		{Kind: choose, What: "a country", Want: p{"country": "de"}, Steps: []Step{click(`button "Change country, selected Norway (+47)"`), act("type", "", p{"text": "Germany"}), click(`option "Germany +49"`)}},
		{Kind: write, What: "a number", Want: p{"phone": "40612345"}, Steps: []Step{fill(`textbox "Phone"`, "40612345")}},
	}},
	{"More kinds", "noUiSlider", "fields.js", false, []Deed{
		{Kind: drag, What: "a slider with two handles", Want: p{"price": []int{30, 80}}, Steps: []Step{pick(`slider "Least"`, "30")}},
	}},
	{"More kinds", "Tribute", "fields.js", false, []Deed{
		{Kind: write, What: "a mention", Want: p{"comment": "Hi @ole "}, Steps: []Step{fill(`textbox "Comment"`, "Hi @Ol"), click(`"Ole Dahl"`)}},
	}},
	{"More kinds", "Dropzone", "uploads.js", false, []Deed{
		{Kind: upload, What: "into a drop zone", Want: p{"zone": []string{"report.txt"}}, Steps: []Step{giveFile(`button "Drop files here to upload"`, "report.txt")}},
	}},
	{"More kinds", "FilePond", "uploads.js", false, []Deed{
		{Kind: upload, What: "by its button", Want: p{"pond": []string{"report.txt"}}, Steps: []Step{giveFile(`button "Drag & Drop your files or Browse"`, "report.txt")}},
	}},
	{"More kinds", "Swiper", "slides.js", false, []Deed{
		{Kind: pressing, What: "the next slide", Want: p{"swiper": 1}, Steps: []Step{click(`"next"`)}},
		{Kind: pressing, What: "the third slide", Want: p{"swiper": 2}, Steps: []Step{click(`"pagination"#3`)}},
		{Kind: drag, What: "a slide away", Want: p{"swiper": 1}, Steps: []Step{dragTo(`"Hill"`, `"Sea"`)}},
	}},
	{"More kinds", "Splide", "slides.js", false, []Deed{
		{Kind: pressing, What: "the next slide", Want: p{"splide": 1}, Steps: []Step{click(`button "Next slide"`)}},
		{Kind: pressing, What: "the third slide", Want: p{"splide": 2}, Steps: []Step{click(`tab "Go to slide 3"`)}},
	}},
	{"More kinds", "jsTree", "jstree.js", false, []Deed{
		{Kind: pressing, What: "a branch open", Want: p{"open": true}, Steps: []Step{click(`"ocl" in "Archive"`)}},
		{Kind: choose, What: "a leaf", Want: p{"selected": []string{"work"}}, Steps: []Step{click(`treeitem "Work"`)}},
		{Kind: sorting, What: "to another branch", Want: p{"homeIn": "trash"}, Steps: []Step{dragTo(`treeitem "Home"`, `treeitem "Archive"`)}},
		{Kind: write, What: "a new name", Want: p{"home": "House"}, Steps: []Step{act("click", `treeitem "Home"`, p{"button": "right"}), click(`"Rename"`), press("Control+a"), act("type", "", p{"text": "House"}), press("Enter")}},
	}},
	{"More kinds", "Tippy", "pops.js", false, []Deed{
		{Kind: pressing, What: "in a card on hover", Want: p{"followed": true}, Steps: []Step{act("hover", `link "@ole"`), click(`button "Follow"`)}},
	}},
	{"More kinds", "SweetAlert", "pops.js", false, []Deed{
		{Kind: pressing, What: "in a dialog", Want: p{"left": true}, Steps: []Step{click(`button "Leave"`), click(`button "Yes, leave"`)}},
		{Kind: write, What: "in a dialog", Want: p{"name": "Ada"}, Steps: []Step{click(`button "Rename"`), act("type", "", p{"text": "Ada"}), click(`button "OK"`)}},
	}},
	{"More kinds", "signature_pad", "pops.js", false, []Deed{
		{Kind: drag, What: "a signature", Want: p{"signed": true}, Steps: []Step{dragTo(`"Signature"`, `button "Rename"`)}},
	}},
	{"More kinds", "Leaflet", "pops.js", false, []Deed{
		{Kind: pressing, What: "closer", Want: p{"zoom": 9}, Steps: []Step{click(`button "Zoom in"`)}},
		{Kind: pressing, What: "a marker", Want: p{"marker": "Oslo"}, Steps: []Step{click(`button "Marker"`)}},
	}},
	{"More kinds", "Ion.RangeSlider", "pops.js", false, []Deed{
		{Kind: drag, What: "a slider with two handles", Want: p{"years": []int{2020, 2020}}, Steps: []Step{dragTo(`"handle from"`, `"handle type last"`)}},
	}},
	{"More kinds", "Jodit", "editorsmore.js", false, []Deed{
		{Kind: write, What: "all anew", Want: p{"jodit": "<p>One two</p>"}, Steps: []Step{fill(`textbox "Hello world"#1`, "One two")}},
		{Kind: format, What: "bold", Want: p{"jodit": "<p><strong>Hello world</strong></p>"}, Steps: []Step{click(`textbox "Hello world"#1`), press("Control+a"), click(`button "Bold"#1`)}},
	}},
	{"More kinds", "Trix", "editorsmore.js", false, []Deed{
		{Kind: write, What: "all anew", Want: p{"trixText": "One\ntwo"}, Steps: []Step{fill(`textbox "Letter"`, "One\ntwo")}},
		{Kind: format, What: "bold", Want: p{"trix": "<div><strong>Hello world</strong></div>"}, Steps: []Step{click(`textbox "Letter"`), press("Control+a"), click(`button "Bold"#2`)}},
	}},
	{"More kinds", "Ace", "editorsmore.js", false, []Deed{
		{Kind: write, What: "all anew", Want: p{"ace": "if (a) {\n  b();\n}"}, Steps: []Step{fill(`textbox "Cursor at row 1"`, "if (a) {\n  b();\n}")}},
		{Kind: write, What: "at the end", Want: p{"ace": "let a = 1;!"}, Steps: []Step{add(`textbox "Cursor at row 1"`, "!")}},
	}},
	{"More kinds", "Toast UI Editor", "editorsmore.js", false, []Deed{
		{Kind: write, What: "all anew", Want: p{"toast": "One two"}, Steps: []Step{fill(`textbox "Hello world"#2`, "One two")}},
		{Kind: format, What: "bold", Want: p{"toast": "**Hello world**"}, Steps: []Step{click(`textbox "Hello world"#2`), press("Control+a"), click(`button "Bold"#3`)}},
	}},
	{"More kinds", "Editor.js", "editorsmore.js", false, []Deed{
		{Kind: write, What: "all anew", Want: p{"blocks": []string{"One two"}}, Steps: []Step{fill(`textbox "Hello world"#3`, "One two")}},
		{Kind: write, What: "two blocks", Want: p{"blocks": []string{"One", "two"}}, Steps: []Step{click(`textbox "Hello world"#3`), press("Control+a"), act("type", "", p{"text": "One"}), press("Enter"), act("type", "", p{"text": "two"})}},
		{Kind: write, What: "two lines at once", Want: p{"blocks": []string{"One", "two"}}, Steps: []Step{fill(`textbox "Hello world"#3`, "One\ntwo")}, Fails: "only Enter begins a new block in this editor. Tabwright types the line break as Shift+Enter, because Enter could press the button without a name beside the field"},
	}},
	{"More kinds", "xterm.js", "xterm.js", false, []Deed{
		{Kind: write, What: "a command", Want: p{"lines": []string{"ls -l"}}, Steps: []Step{add(`textbox "Terminal input"`, "ls -l"), press("Enter")}},
		{Kind: write, What: "a command by its screen", Want: p{"lines": []string{"ls -l"}}, Steps: []Step{click(`"$"#1`), act("type", "", p{"text": "ls -l"}), press("Enter")}},
		{Kind: write, What: "with submit", Want: p{"lines": []string{"pwd"}}, Steps: []Step{act("type", `textbox "Terminal input"`, p{"text": "pwd", "submit": true})}},
		{Kind: write, What: "anew", Want: p{"lines": []string{"pwd"}}, Steps: []Step{fill(`textbox "Terminal input"`, "pwd"), press("Enter")}},
		{Kind: pressing, What: "a key", Want: p{"line": ""}, Steps: []Step{add(`textbox "Terminal input"`, "sleep"), press("Control+c")}},
	}},
}
