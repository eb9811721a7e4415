package zoo

var angular = []Widget{
	{"Angular", "Angular Material", "angular.ts", false, []Deed{
		{Kind: choose, What: "in a select", Want: p{"city": "Oslo"}, Steps: []Step{pick(`combobox "City"`, "Oslo")}},
		{Kind: choose, What: "several", Want: p{"tags": []string{"Bergen", "Oulu"}}, Steps: []Step{picks(`combobox "Tags"`, "Bergen", "Oulu")}},
		{Kind: choose, What: "in an autocomplete", Want: p{"near": "Bergen"}, Steps: []Step{pick(`combobox "Near"`, "Bergen")}},
		{Kind: choose, What: "in a menu", Want: p{"did": "open"}, Steps: []Step{click(`button "File"`), click(`menuitem "Open"`)}},
		{Kind: write, What: "a name", Want: p{"name": "Ada"}, Steps: []Step{fill(`textbox "Name"`, "Ada")}},
		{Kind: date, What: "by typing", Want: p{"day": "2026-06-17"}, Steps: []Step{fill(`textbox "Arrival"`, "6/17/2026")}},
		{Kind: date, What: "by pressing a day", Want: p{"day": "2026-05-21"}, Steps: []Step{click(`button "Open calendar"`), click(`"May 21, 2026"`)}},
		{Kind: drag, What: "a slider", Want: p{"volume": 70}, Steps: []Step{pick(`slider "Volume"`, "70")}},
		{Kind: pressing, What: "a switch and a checkbox", Want: p{"loud": true, "agree": true}, Steps: []Step{act("check", `switch "Loud"`), act("check", `checkbox "I agree"`)}},
		{Kind: pressing, What: "a radio button", Want: p{"plan": "pro"}, Steps: []Step{click(`radio "pro"`)}},
		{Kind: pressing, What: "a tab", Want: p{"tab": 1}, Steps: []Step{click(`tab "Friends"`)}},
	}},
}

var components = []Widget{
	{"Web Components", "Web Awesome", "webawesome.js", false, []Deed{
		{Kind: choose, What: "in a select", Want: p{"city": "Oslo"}, Steps: []Step{pick(`combobox "City"`, "Oslo")}},
		{Kind: choose, What: "several", Want: p{"tags": []string{"Bergen", "Oulu"}}, Steps: []Step{picks(`combobox "Tags"`, "Bergen", "Oulu")}},
		{Kind: choose, What: "in a menu", Want: p{"did": "open"}, Steps: []Step{click(`button "File"`), click(`menuitem "Open"`)}},
		{Kind: write, What: "a name", Want: p{"name": "Ada"}, Steps: []Step{fill(`textbox "Name"`, "Ada")}},
		{Kind: write, What: "two lines", Want: p{"note": "One\ntwo"}, Steps: []Step{fill(`textbox "Note"`, "One\ntwo")}},
		{Kind: date, What: "by typing", Want: p{"day": "2026-06-17"}, Steps: []Step{fill(`textbox "Arrival"`, "2026-06-17")}},
		{Kind: drag, What: "a slider", Want: p{"volume": 70}, Steps: []Step{pick(`slider "Volume"`, "70")}},
		{Kind: pressing, What: "a switch and a checkbox", Want: p{"loud": true, "agree": true}, Steps: []Step{act("check", `switch "Loud"`), act("check", `checkbox "I agree"`)}},
		{Kind: pressing, What: "a radio button", Want: p{"plan": "pro"}, Steps: []Step{click(`radio "pro"`)}},
		{Kind: pressing, What: "stars", Want: p{"stars": 4}, Steps: []Step{pick(`slider "Stars"`, "4")}},
		{Kind: pressing, What: "a tab", Want: p{"tab": "b"}, Steps: []Step{click(`tab "Friends"`)}},
		{Kind: pressing, What: "in a dialog", Want: p{"left": true}, Steps: []Step{click(`button "Leave the club"`), click(`button "Leave"`)}},
	}},
	{"Web Components", "Ionic", "ionic.js", false, []Deed{
		{Kind: choose, What: "in an alert", Want: p{"city": "Oslo"}, Steps: []Step{click(`button "City"`), click(`radio "Oslo"`), click(`button "OK"`)}},
		{Kind: choose, What: "in a popover", Want: p{"near": "Oslo"}, Steps: []Step{click(`button "Near"`), click(`radio "Oslo"`)}},
		{Kind: choose, What: "several", Want: p{"tags": []string{"Bergen", "Oulu"}}, Steps: []Step{click(`button "Tags"`), click(`checkbox "Bergen"`), click(`checkbox "Oulu"`), click(`button "OK"`)}},
		{Kind: write, What: "a name", Want: p{"name": "Ada"}, Steps: []Step{fill(`textbox "Name"`, "Ada")}},
		{Kind: write, What: "two lines", Want: p{"note": "One\ntwo"}, Steps: []Step{fill(`textbox "Note"`, "One\ntwo")}},
		{Kind: date, What: "by pressing a day", Want: p{"day": "2026-05-21"}, Steps: []Step{click(`button "Thursday, May 21"`)}},
		{Kind: drag, What: "a slider", Want: p{"volume": 70}, Steps: []Step{pick(`slider "Volume"`, "70")}},
		{Kind: pressing, What: "a switch and a checkbox", Want: p{"loud": true, "agree": true}, Steps: []Step{act("check", `switch "Loud"`), act("check", `checkbox "I agree"`)}},
		{Kind: pressing, What: "a radio button", Want: p{"plan": "pro"}, Steps: []Step{click(`radio "pro"`)}},
		{Kind: pressing, What: "a tab", Want: p{"tab": "b"}, Steps: []Step{click(`tab "Friends"`)}},
	}},
	{"Web Components", "Material Web", "materialweb.js", false, []Deed{
		{Kind: choose, What: "in a select", Want: p{"city": "Oslo"}, Steps: []Step{pick(`combobox "City"`, "Oslo")}},
		{Kind: choose, What: "in a menu", Want: p{"did": "open"}, Steps: []Step{click(`"File"`), click(`"Open"`)}},
		{Kind: write, What: "a name", Want: p{"name": "Ada"}, Steps: []Step{fill(`textbox "Name"`, "Ada")}},
		{Kind: write, What: "two lines", Want: p{"note": "One\ntwo"}, Steps: []Step{fill(`textbox "Note"`, "One\ntwo")}},
		{Kind: drag, What: "a slider", Want: p{"volume": 70}, Steps: []Step{pick(`slider "Volume"`, "70")}},
		{Kind: pressing, What: "a switch and a checkbox", Want: p{"loud": true, "agree": true}, Steps: []Step{act("check", `switch "Loud"`), act("check", `checkbox "I agree"`)}},
		{Kind: pressing, What: "a radio button", Want: p{"plan": "pro"}, Steps: []Step{click(`"pro"`)}},
		{Kind: pressing, What: "a chip", Want: p{"wifi": true}, Steps: []Step{click(`"Wifi"`)}},
		{Kind: pressing, What: "a tab", Want: p{"tab": 1}, Steps: []Step{click(`"Friends"`)}},
		{Kind: pressing, What: "in a dialog", Want: p{"left": true}, Steps: []Step{click(`"Leave the club"`), click(`"Leave"`)}},
	}},
}

var jquery = []Widget{
	{"jQuery", "jQuery UI", "jqueryui.js", false, []Deed{
		{Kind: choose, What: "in an autocomplete", Want: p{"near": "Bergen"}, Steps: []Step{fill(`textbox "Near"`, "Ber"), click(`"Bergen"`)}},
		{Kind: choose, What: "in a select menu", Want: p{"speed": "Fast"}, Steps: []Step{pick(`combobox in "Speed"`, "Fast")}},
		{Kind: write, What: "a number", Want: p{"guests": 3}, Steps: []Step{fill(`spinbutton "Guests"`, "3"), press("Tab")}},
		{Kind: date, What: "by typing", Want: p{"day": "2026-06-17"}, Steps: []Step{fill(`textbox "Arrival"`, "2026-06-17")}},
		{Kind: date, What: "by pressing a day", Want: p{"day": "2026-05-21"}, Steps: []Step{click(`textbox "Arrival"`), click(`"21"`)}},
		{Kind: sorting, What: "down a list", Want: p{"list": []string{"Banana", "Cherry", "Apple", "Date"}}, Steps: []Step{dragTo(`"Apple"`, `"Cherry"`)}},
		{Kind: drag, What: "into a box", Want: p{"dropped": true}, Steps: []Step{dragTo(`"Card"`, `"Archive"`)}},
		{Kind: pressing, What: "a tab", Want: p{"tab": 1}, Steps: []Step{click(`"Friends"`)}},
		{Kind: pressing, What: "an accordion", Want: p{"acc": 1}, Steps: []Step{click(`"Second"`)}},
		{Kind: pressing, What: "in a dialog", Want: p{"left": true}, Steps: []Step{click(`button "Leave the club"`), click(`button "Leave"`)}},
	}},
	{"jQuery", "Select2", "select2.js", true, []Deed{
		{Kind: choose, What: "one", Want: p{"city": "Oslo"}, Steps: []Step{pick(`combobox in "City"`, "Oslo")}},
		{Kind: choose, What: "several", Want: p{"tags": []string{"Bergen", "Oulu"}}, Steps: []Step{picks(`combobox in "Tags"`, "Bergen", "Oulu")}},
		{Kind: choose, What: "what comes late", Want: p{"far": "Lima"}, Steps: []Step{click(`combobox in "Far away"`), act("type", "", p{"text": "Li"}), click(`option "Lima"`)}},
		{Kind: write, What: "a new one", Want: p{"own": []string{"Paris"}}, Steps: []Step{click(`combobox in "Own words"`), act("type", "", p{"text": "Paris"}), press("Enter")}},
	}},
}

var plain = []Widget{
	{"Plain", "Choices", "choices.js", true, []Deed{
		{Kind: choose, What: "one", Want: p{"city": "Oslo"}, Steps: []Step{pick(`combobox "City"`, "Oslo")}},
		{Kind: choose, What: "several", Want: p{"tags": []string{"Bergen", "Oulu"}}, Steps: []Step{picks(`combobox in "Tags"`, "Bergen", "Oulu")}},
		{Kind: write, What: "new ones", Want: p{"own": []string{"red", "blue"}}, Steps: []Step{add(`"Own words"`, "red"), press("Enter"), add(`"Own words"`, "blue"), press("Enter")}},
	}},
	{"Plain", "Tom Select", "tomselect.js", true, []Deed{
		{Kind: choose, What: "one", Want: p{"city": "Oslo"}, Steps: []Step{pick(`combobox "City"`, "Oslo")}},
		{Kind: choose, What: "several", Want: p{"tags": []string{"Bergen", "Oulu"}}, Steps: []Step{picks(`combobox "Tags"`, "Bergen", "Oulu")}},
		{Kind: choose, What: "what comes late", Want: p{"far": "Lima"}, Steps: []Step{add(`combobox "Far away"`, "Li"), click(`option "Lima"`)}},
		{Kind: write, What: "new ones", Want: p{"own": []string{"red", "blue"}}, Steps: []Step{add(`combobox "Own words"`, "red"), press("Enter"), add(`combobox "Own words"`, "blue"), press("Enter")}},
	}},
	{"Plain", "flatpickr", "flatpickr.js", true, []Deed{
		{Kind: date, What: "by pressing a day", Want: p{"day": "2026-05-21"}, Steps: []Step{click(`textbox "Departure"`), click(`"May 21, 2026"`)}},
		{Kind: date, What: "in another month", Want: p{"day": "2026-06-17"}, Steps: []Step{click(`textbox "Departure"`), pick(`combobox "Month"`, "June"), click(`"June 17, 2026"`)}},
		{Kind: date, What: "a range", Want: p{"stay": []string{"2026-05-11", "2026-05-14"}}, Steps: []Step{click(`textbox "Stay"`), click(`"May 11, 2026"`), click(`"May 14, 2026"`)}},
		{Kind: date, What: "a time", Want: p{"alarm": "18:30"}, Steps: []Step{click(`textbox "Alarm"`), fill(`spinbutton "Hour"`, "18"), fill(`spinbutton "Minute"`, "30"), press("Enter")}},
		{Kind: date, What: "date and time by typing", Want: p{"meeting": "2026-06-01 09:15"}, Steps: []Step{fill(`textbox "Meeting"`, "2026-06-01 09:15"), press("Enter")}},
	}},
	{"Plain", "FullCalendar", "fullcalendar.js", false, []Deed{
		{Kind: date, What: "press a day", Want: p{"day": "2026-05-21"}, Steps: []Step{click(`"May 21, 2026"`)}},
		{Kind: date, What: "the next month", Want: p{"month": 6}, Steps: []Step{click(`button "Next month"`)}},
		{Kind: pressing, What: "an event", Want: p{"event": "Dentist"}, Steps: []Step{click(`"Dentist"`)}},
		{Kind: drag, What: "an event to another day", Want: p{"Dentist": "2026-05-14"}, Steps: []Step{dragTo(`"Dentist"`, `"May 14, 2026"`)}},
	}},
	{"Plain", "Tabulator", "tabulator.js", false, []Deed{
		{Kind: sorting, What: "by a head", Want: p{"names": []string{"Apple", "Leek", "Pear"}}, Steps: []Step{click(`columnheader "Name"`)}},
		{Kind: sorting, What: "a column", Want: p{"columns": []string{"price", "name", "kind"}}, Steps: []Step{dragTo(`columnheader "Name"`, `columnheader "Kind"`)}},
		{Kind: write, What: "in a cell", Want: p{"rows": p{
			"1": p{"id": 1, "name": "Quince", "price": 3, "kind": "Fruit"}, "2": p{"id": 2, "name": "Apple", "price": 2, "kind": "Fruit"}, "3": p{"id": 3, "name": "Leek", "price": 1, "kind": "Vegetable"},
		}}, Steps: []Step{click(`gridcell "Pear"`), press("Control+a"), act("type", "", p{"text": "Quince"}), press("Enter")}},
		{Kind: write, What: "a filter", Want: p{"names": []string{"Leek"}}, Steps: []Step{fill(`searchbox in "Kind"`, "Veg"), press("Enter")}},
	}},
	{"Plain", "AG Grid", "aggrid.js", false, []Deed{
		{Kind: sorting, What: "by a head", Want: p{"names": []string{"Apple", "Leek", "Pear"}}, Steps: []Step{click(`columnheader "Name"`)}},
		{Kind: sorting, What: "a row by its handle", Want: p{"names": []string{"Apple", "Leek", "Pear"}}, Steps: []Step{dragTo(`"grip" in "Pear"`, `"grip" in "Leek"`)}},
		{Kind: sorting, What: "a column", Want: p{"columns": []string{"price", "name", "kind"}}, Steps: []Step{dragTo(`columnheader "Name"`, `columnheader "Price"`)}},
		{Kind: write, What: "in a cell", Want: p{"rows": p{
			"1": p{"id": 1, "name": "Quince", "price": 3, "kind": "Fruit"}, "2": p{"id": 2, "name": "Apple", "price": 2, "kind": "Fruit"}, "3": p{"id": 3, "name": "Leek", "price": 1, "kind": "Vegetable"},
		}}, Steps: []Step{act("click", `gridcell "Pear"`, p{"clicks": 2}), fill(`textbox "Input Editor"`, "Quince"), press("Enter")}},
		{Kind: write, What: "a filter", Want: p{"names": []string{"Leek"}}, Steps: []Step{fill(`textbox "Kind Filter Input"`, "Veg")}},
		{Kind: choose, What: "a row", Want: p{"picked": []string{"Apple"}}, Steps: []Step{act("check", `checkbox "Press Space to toggle row selection (unchecked)"#2`)}},
	}},
	{"Plain", "GridStack", "gridstack.js", false, []Deed{
		{Kind: drag, What: "a tile onto another's place", Want: p{"Orders": []int{8, 0, 3}}, Steps: []Step{dragTo(`"Orders"`, `"Visits"`)}},
	}},
	{"Plain", "SortableJS", "sortable.js", true, []Deed{
		{Kind: sorting, What: "down a list", Want: p{"have": []string{"Banana", "Cherry", "Apple"}}, Steps: []Step{dragTo(`"Apple"`, `"Cherry"`)}},
		{Kind: sorting, What: "to another list", Want: p{"have": []string{"Apple", "Cherry"}}, Steps: []Step{dragTo(`"Banana"`, `"Date"`)}},
		{Kind: sorting, What: "by a handle", Want: p{"handled": []string{"Two", "Three", "One"}}, Steps: []Step{dragTo(`"Move One"`, `"Move Three"`)}},
	}},
	{"Plain", "Uppy", "uppy.js", false, []Deed{
		{Kind: upload, What: "by its button", Want: p{"files": []string{"report.txt"}}, Steps: []Step{giveFile(`button "browse files"`, "report.txt")}},
	}},
}
