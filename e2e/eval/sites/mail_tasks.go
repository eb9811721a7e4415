package sites

import (
	"regexp"
	"slices"
	"strings"

	"tabwright/e2e/eval/suite"
)

var mailTasks = on(newMail,
	taskOn[*mail]{
		suite.Task{
			ID: "mail-open", Lang: "en", Level: 1, Acts: 1, Start: "/",
			Text: "Open the message from Ida Lund.",
		},
		func(*mail) goal { return goal{set: facts{"at.letter": "ida_lund"}} },
	},
	taskOn[*mail]{
		suite.Task{
			ID: "mail-star", Lang: "en", Level: 1, Acts: 1, Start: "/",
			Text: "Star the message from Ruben Vega.",
		},
		func(*mail) goal { return goal{set: facts{"mail.ruben_vega.star": "on"}} },
	},
	taskOn[*mail]{
		suite.Task{
			ID: "mail-archive-zh", Lang: "zh", Level: 1, Acts: 2, Start: "/",
			Text: "把王芳发来的邮件归档。",
		},
		func(*mail) goal { return goal{set: facts{"mail.wangfang.folder": "archive"}} },
	},
	taskOn[*mail]{
		suite.Task{
			ID: "mail-label", Lang: "en", Level: 2, Acts: 4, Start: "/",
			Text: `Put the label "Travel" on both messages from Blue Ferry in the inbox.`,
		},
		func(*mail) goal {
			return goal{set: facts{"mail.ferry_booking.labels": "Travel", "mail.ferry_times.labels": "Travel"}}
		},
	},
	taskOn[*mail]{
		suite.Task{
			ID: "mail-reply", Lang: "en", Level: 2, Acts: 4, Start: "/",
			Text: `Reply to the message "Budget for the workshop" with the words "Approved, go ahead." and nothing else.`,
		},
		func(*mail) goal {
			return goal{set: facts{"sent.1.to": "clara.wong@example.com", "sent.1.subject": "Re: Budget for the workshop", "sent.1.body": "Approved, go ahead."}}
		},
	},
	taskOn[*mail]{
		suite.Task{
			ID: "mail-water-zh", Lang: "zh", Level: 2, Acts: 4, Start: "/",
			Text: "物业发来的通知里,停水和停电分别从几点开始?",
		},
		func(m *mail) goal {
			return goal{answer: [][]string{timeForms(m.starts("water")), timeForms(m.starts("power"))}, decoys: []string{m.starts("lift")}}
		},
	},
	taskOn[*mail]{
		suite.Task{
			ID: "mail-store", Lang: "en", Level: 3, Acts: 8, Start: "/",
			Text: "Archive all four messages from Northwind Store that are in the inbox, and star the one from the Northwind Sailing Club. Leave all others where they are.",
		},
		func(*mail) goal {
			return goal{set: facts{
				"mail.store_sale.folder": "archive", "mail.store_new.folder": "archive", "mail.store_points.folder": "archive",
				"mail.store_survey.folder": "archive", "mail.sailing.star": "on",
			}}
		},
	},
	taskOn[*mail]{
		suite.Task{
			ID: "mail-vacation", Lang: "en", Level: 3, Acts: 8, Start: "/",
			Text: `In the settings, turn on the vacation reply from 3 August 2026 to 14 August 2026 with the subject "Away until 17 August" and the message "I am away. Please write to Clara Wong.", and save it.`,
		},
		func(*mail) goal {
			return goal{set: facts{
				"settings.vacation": "on", "settings.vacation.from": "2026-08-03", "settings.vacation.to": "2026-08-14",
				"settings.vacation.subject": "Away until 17 August", "settings.vacation.text": "I am away. Please write to Clara Wong.",
			}}
		},
	},
)

var clock = regexp.MustCompile(`\d{1,2}:\d\d`)

// starts gives when what a notice announces begins.
func (m *mail) starts(key string) string {
	i := slices.IndexFunc(m.box, func(l *letter) bool { return l.key == key })
	return clock.FindString(m.box[i].Body)
}

// timeForms are the forms in which an answer may give a time of the morning.
func timeForms(t string) []string {
	h, m, _ := strings.Cut(t, ":")
	forms := []string{t, h + "点" + m, h + "时" + m}
	if m == "30" {
		forms = append(forms, h+"点半")
	}
	if len(h) == 1 {
		forms = append(forms, "0"+t, "0"+h+"点"+m, "0"+h+"时"+m)
	}
	return forms
}
