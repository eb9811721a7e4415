package sites

import (
	"slices"

	"tabwright/e2e/eval/suite"
)

var trackerTasks = on(newTracker,
	taskOn[*tracker]{
		suite.Task{
			ID: "tracker-close", Lang: "en", Level: 1, Acts: 2, Start: "/issues?label=design",
			Text: `Close the issue "Login button overlaps the logo".`,
		},
		func(*tracker) goal { return goal{set: facts{"issue.login.state": "closed"}} },
	},
	taskOn[*tracker]{
		suite.Task{
			ID: "tracker-digest-zh", Lang: "zh", Level: 1, Acts: 2, Start: "/settings/notifications",
			Text: "关闭“每周摘要邮件”通知,并保存设置。",
		},
		func(*tracker) goal { return goal{set: facts{"settings.digest": "off"}} },
	},
	taskOn[*tracker]{
		suite.Task{
			ID: "tracker-assign", Lang: "en", Level: 2, Acts: 4, Start: "/issues",
			Text: `Assign the issue "Export drops the last row" to Priya Nair.`,
		},
		func(*tracker) goal { return goal{set: facts{"issue.export-last.assignee": "Priya Nair"}} },
	},
	taskOn[*tracker]{
		suite.Task{
			ID: "tracker-comment", Lang: "en", Level: 2, Acts: 4, Start: "/issues",
			Text: `Close the issue "Crash when a file name has an emoji" with the comment "Fixed in 2.4.1".`,
		},
		func(k *tracker) goal {
			comment := "issue.emoji.comment.1"
			if k.facts()[comment] != "" {
				comment = "issue.emoji.comment.2"
			}
			return goal{set: facts{"issue.emoji.state": "closed", comment: "Fixed in 2.4.1"}}
		},
	},
	taskOn[*tracker]{
		suite.Task{
			ID: "tracker-oldest", Lang: "en", Level: 2, Acts: 5, Start: "/issues",
			Text: `Who reported the oldest open issue with the label "security"?`,
		},
		func(k *tracker) goal {
			var g goal
			for _, x := range slices.Backward(k.issues) {
				if !slices.Contains(x.Labels, "security") {
					continue
				}
				if x.State == "open" && g.answer == nil {
					g.answer = [][]string{{x.Reporter}}
				} else {
					g.decoys = append(g.decoys, x.Reporter)
				}
			}
			return g
		},
	},
	taskOn[*tracker]{
		suite.Task{
			ID: "tracker-new", Lang: "en", Level: 3, Acts: 11, Start: "/issues",
			Text: `Create an issue with the title "Dark mode flickers on start", the description "Happens on every cold start.", the labels bug and design, the assignee Lea Fischer, the milestone 3.0 and the priority High.`,
		},
		func(*tracker) goal {
			return goal{set: facts{
				"issue.new1.title": "Dark mode flickers on start", "issue.new1.body": "Happens on every cold start.", "issue.new1.labels": "bug,design",
				"issue.new1.assignee": "Lea Fischer", "issue.new1.milestone": "3.0", "issue.new1.priority": "high", "issue.new1.state": "open",
			}}
		},
	},
	taskOn[*tracker]{
		suite.Task{
			ID: "tracker-duplicates-zh", Lang: "zh", Level: 3, Acts: 9, Start: "/issues",
			Text: "把带有“重复”标签且仍处于打开状态的三个问题全部关闭,再把问题“搜索结果为空”的优先级改为“高”。其他问题不要改动。",
		},
		func(*tracker) goal {
			return goal{set: facts{"issue.dup1.state": "closed", "issue.dup2.state": "closed", "issue.dup3.state": "closed", "issue.empty.priority": "high"}}
		},
	},
)
