package control

import (
	"crypto/rand"
	"strconv"
	"strings"
	"time"

	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/control/models"
	"tabwright/host/native/wire"
)

// job is a task with all it needs to run.
type job struct {
	id    string
	p     wire.TaskStartParams
	place Place
	tab   browser.TabInfo
	own   bool   // the tab was opened for it
	home  string // the page it began on
	begin string // address that the task opens first, after asking the user
	model models.Model
	set   TaskSettings

	before []agent.Exchange // of the conversation
	attach []agent.Attached
	past   *agent.Past // of a resumed task
	// pastSites are the sites that a resumed task has visited.
	pastSites []string
}

// userWords returns the task's parameters with the user's earlier words of the
// conversation put before its text.
func (j job) userWords() wire.TaskStartParams {
	p, words := j.p, []string{}
	for _, e := range j.before {
		words = append(words, e.Asked)
	}
	p.Text = strings.Join(append(words, p.Text), "\n")
	return p
}

// newID returns a new task id; ids sort by time.
func newID() string {
	return "t" + strconv.FormatInt(time.Now().UnixMilli(), 36) + strings.ToLower(rand.Text()[:4])
}

// isDrivable reports whether url is a page that can be driven: the browser's own
// pages refuse the debugger.
func isDrivable(url string) bool {
	clean, err := browser.CheckURL(url)
	return err == nil && clean != ""
}
