package sites

import (
	"maps"
	"slices"
	"strings"

	"tabwright/e2e/eval/suite"
)

var docsTasks = on(newDocs,
	taskOn[*docs]{
		suite.Task{
			ID: "docs-helpful", Lang: "en", Level: 1, Acts: 1, Start: "/docs/install",
			Text: "Mark this page as helpful.",
		},
		func(*docs) goal { return goal{set: facts{"feedback.install": "yes"}} },
	},
	taskOn[*docs]{
		suite.Task{
			ID: "docs-theme-zh", Lang: "zh", Level: 1, Acts: 2, Start: "/docs/first-job",
			Text: "把文档的主题切换为深色。",
		},
		func(*docs) goal { return goal{set: facts{"prefs.theme": "dark"}} },
	},
	taskOn[*docs]{
		suite.Task{
			ID: "docs-default", Lang: "en", Level: 2, Acts: 4, Start: "/docs/install",
			Text: "What is the default of retry.max_delay in version 2.x?",
		},
		func(d *docs) goal {
			return d.asks(d.values["2.x retry.max_delay"], d.values["3.x retry.max_delay"], d.values["1.x retry.max_delay"], d.values["2.x queue.max_delay"])
		},
	},
	taskOn[*docs]{
		suite.Task{
			ID: "docs-port-zh", Lang: "zh", Level: 2, Acts: 4, Start: "/docs/settings",
			Text: "按照安装说明,Kiln 在 Windows 上默认使用哪个端口?",
		},
		func(d *docs) goal { return d.asks(d.ports["windows"], d.ports["linux"], d.ports["macos"]) },
	},
	taskOn[*docs]{
		suite.Task{
			ID: "docs-errands", Lang: "en", Level: 3, Acts: 10, Start: "/docs/install",
			Text: `Bookmark the page "Rate limits", mark the page "Webhooks" as not helpful with the comment "The example is out of date", and subscribe mira.koch@example.com to the release notes of version 2.x.`,
		},
		func(*docs) goal {
			return goal{
				set: facts{"bookmark.rate-limits": "yes", "feedback.webhooks": "no The example is out of date", "subscription.1": "mira.koch@example.com for 2.x"},
				via: map[string][]string{"feedback.webhooks": {"no"}},
			}
		},
	},
)

// units are the names of each unit of time.
var units = map[string][]string{
	"ms":  {"ms", "msec", "millisecond", "milliseconds", "毫秒"},
	"s":   {"s", "sec", "second", "seconds", "秒"},
	"min": {"min", "minute", "minutes", "分钟"},
	"h":   {"h", "hour", "hours", "小时"},
}

// asks is the goal to give a value; those beside it are of the same kind. A unit
// may be written next to its number, in full or not at all, but no other one.
func (d *docs) asks(value string, beside ...string) goal {
	number, unit, measured := strings.Cut(value, " ")
	out := goal{answer: [][]string{{value, number + unit, number}}, decoys: beside}
	for _, other := range slices.Sorted(maps.Keys(units)) {
		for _, name := range units[other] {
			if measured && other != unit {
				out.decoys = append(out.decoys, number+" "+name, number+name)
			}
		}
	}
	return out
}
