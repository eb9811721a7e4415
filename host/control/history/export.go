package history

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// Export returns a conversation as a file: md for reading, json with everything
// that is kept.
func (h *History) Export(p wire.ConvExportParams) (wire.Exported, error) {
	c, err := h.conversation(p.Conversation)
	if err != nil {
		return wire.Exported{}, err
	}
	info := c.info()
	out := wire.Exported{Name: FileName(info.Title, c.id) + "." + p.Format}
	events := make([][]wire.Event, len(c.tasks))
	for i, t := range c.tasks {
		if events[i], err = h.Journal.Events(t.Task, 0); err != nil {
			return wire.Exported{}, err
		}
	}
	switch p.Format {
	case "md":
		out.MIME, out.Text = "text/markdown", markdownOf(info, c.tasks, events)
	case "json":
		out.MIME = "application/json"
		out.Text, err = jsonOf(info, c.tasks, events)
	default:
		err = &wire.Error{Code: wire.CodeInvalidParams, Message: "A conversation is exported as md or json.", Hint: "Give one of them as format."}
	}
	return out, err
}

// exportedTask is a task in a JSON export.
type exportedTask struct {
	wire.TaskInfo
	URL    string             `json:"url,omitempty"`
	Lang   string             `json:"lang,omitempty"`
	Attach []journal.Attached `json:"attach,omitempty"`
	Events []wire.Event       `json:"events"`
}

func jsonOf(info wire.ConvInfo, tasks []journal.Task, events [][]wire.Event) (string, error) {
	out := struct {
		Format int `json:"format"` // of this file
		wire.ConvInfo
		Tasks []exportedTask `json:"tasks"`
	}{Format: 1, ConvInfo: info}
	for i, t := range tasks {
		attach := make([]journal.Attached, len(t.Attach))
		for j, a := range t.Attach {
			a.Path, a.View = "", "" // paths are private and valid only on this computer
			attach[j] = a
		}
		out.Tasks = append(out.Tasks, exportedTask{TaskInfo: t.TaskInfo, URL: t.URL, Lang: t.Lang, Attach: attach, Events: events[i]})
	}
	raw, err := json.MarshalIndent(out, "", "  ")
	return string(raw), err
}

func markdownOf(info wire.ConvInfo, tasks []journal.Task, events [][]wire.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", plainLine(info.Title))
	for i, t := range tasks {
		fmt.Fprintf(&b, "\n## %s\n\n", time.UnixMilli(t.Started).UTC().Format("2006-01-02 15:04 UTC"))
		b.WriteString(blockQuote(t.Text))
		for _, a := range t.Attach {
			fmt.Fprintf(&b, "\nAttached: %s\n", plainLine(strings.TrimSpace(a.Kind+" "+a.Name+" "+a.URL)))
			if a.Text != "" {
				b.WriteString("\n" + blockQuote(a.Text))
			}
		}
		fmt.Fprintf(&b, "\n*%s, %s*\n", plainLine(t.Model), t.State)
		list := false
		for _, ev := range events[i] {
			line, item := eventLine(ev)
			if line == "" {
				continue
			}
			if item != list || !item {
				b.WriteString("\n")
			}
			list = item
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// answerWords maps the answer to a question to the words that end its line.
var answerWords = map[string]string{
	"allow": "allowed", "deny": "denied", "expired": "no answer in time, so no", "void": "no answer, and none needed any more",
}

// eventLine returns an event as text for the user; empty if it is left out. item is
// true for an item in the list of steps.
func eventLine(ev wire.Event) (line string, item bool) {
	switch ev.Type {
	case wire.EvToolResult:
		line = fmt.Sprintf("%d. %s", ev.Step.N, plainLine(ev.Step.Line))
		if ev.Step.N < 0 { // a hook is not numbered
			line = "- " + plainLine(ev.Step.Line)
		}
		if ev.Step.Outcome != "" && ev.Step.Outcome != "ok" {
			line += " (" + ev.Step.Outcome
			if ev.Step.Error != nil && !strings.HasSuffix(ev.Step.Line, ev.Step.Error.Message) { // most lines end with the reason
				line += ": " + plainLine(ev.Step.Error.Message)
			}
			line += ")"
		}
		return line, true
	case wire.EvPlan:
		return "Plan:\n\n" + blockQuote(ev.Text), false
	case wire.EvConfirmResult:
		line = fmt.Sprintf("   - asked: %s %s on %s", ev.Confirm.Action, plainLine(ev.Confirm.Target), ev.Confirm.Site)
		if ev.Confirm.Amount != "" {
			line += ", " + plainLine(ev.Confirm.Amount)
		}
		line += ": **" + cmp.Or(answerWords[ev.Confirm.Answer], ev.Confirm.Answer) + "**"
		if ev.Text != "" {
			line += ", “" + plainLine(ev.Text) + "”"
		}
		return line, true
	case wire.EvAsk:
		return "**Tabwright asked:** " + plainLine(ev.Text), false
	case wire.EvSaid, wire.EvSteered:
		return "**You said:** " + plainLine(ev.Text), false
	case wire.EvNotify:
		if ev.Level != "warn" {
			return "", false
		}
		return "   - note: " + plainLine(ev.Text), true
	case wire.EvComplete:
		return "**Answer**\n\n" + strings.TrimSpace(ev.Text), false
	case wire.EvFailed, wire.EvCancelled, wire.EvInterrupted:
		return "**" + strings.ToUpper(string(ev.Type[:1])) + string(ev.Type[1:]) + ":** " + plainLine(ev.Text), false
	default:
		return "", false
	}
}

// plainLine puts page text on one line and escapes Markdown, so that it makes no
// link, heading or tag.
func plainLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`).Replace(s)
}

func blockQuote(s string) string {
	return "> " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n> ") + "\n"
}
