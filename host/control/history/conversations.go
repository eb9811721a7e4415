package history

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"tabwright/host/agent"
	"tabwright/host/flow"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/pagecontext"
)

const (
	convLimit  = 50
	convMost   = 200
	titleMost  = 120 // characters of the user's title
	titleFirst = 60  // … of a title made from the first task
	aroundHit  = 60  // … of an excerpt on each side of the hit
)

// conversation has its tasks, oldest first.
type conversation struct {
	id, title string
	tasks     []journal.Task
}

func (c *conversation) newest() journal.Task { return c.tasks[len(c.tasks)-1] }

// convOf returns the conversation of a task. A task of an older version has none and
// is its own.
func convOf(t journal.Task) string {
	if t.Conversation == "" {
		return t.Task
	}
	return t.Conversation
}

// conversations returns all conversations, the last changed first.
func (h *History) conversations() ([]*conversation, error) {
	tasks, err := h.Journal.Tasks(1 << 30)
	if err != nil {
		return nil, err
	}
	titles, err := h.Journal.Titles()
	if err != nil {
		return nil, err
	}
	by := map[string]*conversation{}
	var out []*conversation
	for _, t := range slices.Backward(tasks) { // oldest first
		if t.Kind != "" {
			continue // a program's session
		}
		id := convOf(t)
		c := by[id]
		if c == nil {
			c = &conversation{id: id, title: titles[id]}
			by[id] = c
			out = append(out, c)
		}
		t.Conversation = id
		c.tasks = append(c.tasks, t)
	}
	slices.Reverse(out) // so that of those changed in one millisecond the newest is first
	slices.SortStableFunc(out, func(a, b *conversation) int {
		return int(max(min(lastChange(b.newest())-lastChange(a.newest()), 1), -1))
	})
	return out, nil
}

// programs returns the sessions of programs, each as a conversation.
func (h *History) programs() ([]*conversation, error) {
	tasks, err := h.Journal.Tasks(1 << 30)
	if err != nil {
		return nil, err
	}
	var out []*conversation
	for _, t := range tasks {
		if t.Kind != "" {
			out = append(out, &conversation{id: t.Task, tasks: []journal.Task{t}})
		}
	}
	return out, nil
}

func lastChange(t journal.Task) int64 { return max(t.Updated, t.Started) }

func (h *History) conversation(id string) (*conversation, error) {
	all, err := h.conversations()
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		if c.id == id {
			return c, nil
		}
	}
	return nil, &wire.Error{Code: wire.CodeNoConversation, Message: "There is no such conversation.", Hint: "It may have been deleted."}
}

// info returns the summary of a conversation.
func (c *conversation) info() wire.ConvInfo {
	last := c.newest()
	out := wire.ConvInfo{
		Conversation: c.id, Title: c.title, State: last.State, Updated: lastChange(last), Count: len(c.tasks),
	}
	if out.Title == "" {
		out.Title = pagecontext.Cut(strings.Join(strings.Fields(c.tasks[0].Text), " "), titleFirst)
	}
	for _, t := range c.tasks {
		for _, u := range []string{t.Home, t.URL, t.Where.URL} {
			p, err := url.Parse(u)
			if err == nil && p.Hostname() != "" && !slices.Contains(out.Sites, p.Hostname()) {
				out.Sites = append(out.Sites, p.Hostname())
			}
		}
	}
	return out
}

// answer returns the text that a task ended with; empty while it goes on.
func (h *History) answer(t journal.Task) (string, error) {
	if !journal.Ended(t.State) {
		return "", nil
	}
	ev, ok, err := h.Journal.Last(t)
	if err != nil || !ok || !wire.Ends(ev.Type) {
		return "", err
	}
	return ev.Text, nil
}

// List finds the conversations with all words of the query in the title, the tasks
// or the answers, ignoring case and accents.
func (h *History) List(p wire.ConvListParams) (wire.ConvList, error) {
	limit := p.Limit
	if limit <= 0 {
		limit = convLimit
	}
	limit = min(limit, convMost)
	out := wire.ConvList{Conversations: []wire.ConvInfo{}}
	all, err := h.conversations()
	if err != nil {
		return out, err
	}
	words := strings.Fields(fold(p.Query).text)
	for _, c := range all {
		info := c.info()
		if len(words) > 0 {
			hit, ok, err := h.find(c, info.Title, words)
			if err != nil {
				return out, err
			}
			if !ok {
				continue
			}
			info.Excerpt = hit
		}
		if out.Total++; len(out.Conversations) < limit {
			out.Conversations = append(out.Conversations, info)
		}
	}
	return out, nil
}

// find looks for words in a conversation and returns an excerpt with the first hit.
func (h *History) find(c *conversation, title string, words []string) (excerpt string, ok bool, err error) {
	texts := []string{title}
	for _, t := range c.tasks {
		answer, err := h.answer(t)
		if err != nil {
			return "", false, err
		}
		texts = append(texts, t.Text, answer)
	}
	left := slices.Clone(words)
	for i, t := range texts {
		f := fold(t)
		left = slices.DeleteFunc(left, func(w string) bool {
			at := strings.Index(f.text, w)
			if at >= 0 && excerpt == "" && i > 0 { // the title needs no excerpt
				excerpt = f.excerpt(t, at, at+len(w))
			}
			return at >= 0
		})
		if len(left) == 0 {
			return excerpt, true, nil
		}
	}
	return "", false, nil
}

// foldedText is a text without case and accents. from has the offset of each of its
// bytes in the original.
type foldedText struct {
	text string
	from []int
}

func fold(s string) foldedText {
	var b strings.Builder
	var from []int
	for at, c := range s {
		for _, d := range norm.NFKD.String(string(c)) {
			if unicode.Is(unicode.Mn, d) {
				continue
			}
			n, _ := b.WriteRune(unicode.ToLower(d))
			for range n {
				from = append(from, at)
			}
		}
	}
	return foldedText{b.String(), from}
}

// excerpt returns the original text around a hit.
func (f foldedText) excerpt(original string, at, end int) string {
	before := []rune(original[:f.from[at]])
	rest := []rune(original[f.from[at]:])
	hit := min(len(rest), end-at+aroundHit)
	out := string(before[max(0, len(before)-aroundHit):]) + string(rest[:hit])
	out = strings.Join(strings.Fields(out), " ")
	if len(before) > aroundHit {
		out = "…" + out
	}
	if hit < len(rest) {
		out += "…"
	}
	return out
}

// Show returns a conversation with its tasks, oldest first.
func (h *History) Show(id string) (wire.ConvInfo, error) {
	c, err := h.conversation(id)
	if err != nil {
		return wire.ConvInfo{}, err
	}
	out := c.info()
	for _, t := range c.tasks {
		out.Tasks = append(out.Tasks, t.TaskInfo)
	}
	return out, nil
}

// Rename sets the title of a conversation; an empty one resets it.
func (h *History) Rename(p wire.ConvRenameParams) (wire.ConvInfo, error) {
	if _, err := h.conversation(p.Conversation); err != nil {
		return wire.ConvInfo{}, err
	}
	title := strings.Join(strings.Fields(p.Title), " ")
	if len([]rune(title)) > titleMost {
		return wire.ConvInfo{}, &wire.Error{Code: wire.CodeInvalidParams, Message: fmt.Sprintf("A title has at most %d characters.", titleMost)}
	}
	if err := h.Journal.SetTitle(p.Conversation, title); err != nil {
		return wire.ConvInfo{}, err
	}
	return h.Show(p.Conversation)
}

// Delete removes a conversation: its tasks with their events, pictures and
// folders. The audit log stays.
func (h *History) Delete(id string) error {
	c, err := h.conversation(id)
	if err != nil {
		return err
	}
	return h.remove(c)
}

func (h *History) remove(c *conversation) error {
	var ids []string
	for _, t := range c.tasks {
		if h.Live.Busy(t.Task) {
			return &wire.Error{Code: wire.CodeBusy, Message: "A task of this conversation is running.", Hint: "Stop it first."}
		}
		ids = append(ids, t.Task)
	}
	if err := h.Journal.Remove(ids...); err != nil {
		return err
	}
	errs := []error{h.removeFlows(ids)}
	for _, t := range ids {
		if dir := h.Dir(t); dir != "" {
			errs = append(errs, os.RemoveAll(dir))
		}
	}
	return errors.Join(errs...)
}

// removeFlows removes the workflows that ran the removed tasks, because their states
// hold the tasks' results, too. One that runs or is paused stays.
func (h *History) removeFlows(tasks []string) error {
	all, err := h.flowStates()
	if err != nil {
		return err
	}
	var gone []string
	for _, s := range all {
		goesOn := s.State == wire.FlowRunning || s.State == wire.FlowPaused
		if !goesOn && slices.ContainsFunc(s.Graph.Nodes, func(n flow.Node) bool { return slices.Contains(tasks, n.Ran) }) {
			gone = append(gone, s.ID)
		}
	}
	return h.dropFlows(gone)
}

// Before returns the earlier tasks of a conversation for the next one; none for an
// empty id.
func (h *History) Before(id string) ([]agent.Exchange, error) {
	if id == "" {
		return nil, nil
	}
	c, err := h.conversation(id)
	if err != nil {
		return nil, err
	}
	var out []agent.Exchange
	for _, t := range c.tasks {
		answer, err := h.answer(t)
		if err != nil {
			return nil, err
		}
		sites, err := h.Sites(t)
		if err != nil {
			return nil, err
		}
		out = append(out, agent.Exchange{Asked: t.Text, Answered: answer, Sites: sites})
	}
	return out, nil
}
