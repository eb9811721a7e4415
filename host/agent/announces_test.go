package agent

import "testing"

// What a model says that it will do is no answer; a question to the person and
// a figure that was found are one, whatever words they begin with.
func TestAnnounces(t *testing.T) {
	for text, want := range map[string]bool{
		"I will now look at the list.":                                  true,
		"Let me click Pay.":                                             true,
		"**First**, I need to open the settings page.":                  true,
		"I'll click element [12]. It is the Add button.":                true,
		"I will click button 12: it is on page 2.":                      true,
		"Let me go to step 3.\nThen I will add 2 mugs.":                 true,
		"I'm going to add 2 mugs for 12.90 to the cart.":                true,
		`I will search for "what is 6 times 7?" on the page.`:           true,
		"Let me open http://shop.test:8080/?q=mug to see it.":           true,
		"我需要先点击第2个按钮。":                                                  true,
		"让我查看页面。":                                                       true,
		`I will click "Place order". The total is $42.10 as expected.`:  true,
		"I'll click the Next button. The page shows 20 results so far.": true,
		"Let me scroll down. There are 3 more results below.":           true,
		"Let me scroll down.\n\nThere are 3 more results below.":        true,
		"I need to press Next. The page shows 20 results.":              true,
		"Let me check the cart: is the mug already in it?":              true,
		`I'll click "Sort: price". It is the link of 3.`:                true,
		`Let me look at it: "the total is 42" is what it says.`:         true,
		"接下来我将点击“下单”。合计为42元。":                                           true,
		"让我查看购物车：杯子已经在里面了吗？":                                            true,
		"我将打开这一个：您要2个吗？":                                                false,
		"I'll go with the blue one. It costs $7.90.":                    false,
		"Let me start with the total. It is 42.":                        false,
		"I'll open no more of them. So the total is 42.":                false,
		"Let me open the first one. Should I add 2 of them?":            false,
		"I need to fill in a size: what is it?":                         false,
		"I have to select a size first; which one?":                     false,
		"I need to choose a colour before I go on. Do you want blue?":   false,
		"I will add 3 more days: the total is 42":                       false,
		"I will need 3 more days of data: the total is 42":              false,
		"Let me add that the total is 42.":                              false,
		"I have to read 3 more pages, but so far there are 42 of them.": false,
		"I'll go with the blue one — it costs $7.90":                    false,
		"I must check the rest tomorrow.\nThe balance = 12.5":           false,
		"The total is 42.": false,
		"我需要先选择尺寸；您要哪一个？":                                                   false,
		"我将继续读取：总数是42。":                                                     false,
		"Let me know if you need anything else.":                            false,
		"You will need to click Save yourself, I can't press it over there": false,
	} {
		if got := announces(text); got != want {
			t.Errorf("announces(%q) = %v", text, got)
		}
	}
}
