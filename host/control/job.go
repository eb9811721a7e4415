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

// job is a task that is about to run.
type job struct {
	id    string
	p     wire.TaskStartParams
	place Place
	tab   browser.TabInfo
	own   bool   // the tab was opened for it
	home  string // the page it began on
	begin string // what it opens itself, first: the user is asked before
	model models.Model
	set   TaskSettings

	before []agent.Exchange // of the conversation
	attach []agent.Attached
	past   *agent.Past // of a task that is taken up again
	// pastSites are the sites that it has been on.
	pastSites []string
}

// userWords are the user's words for a task, those of the conversation before it
// among them.
func (j job) userWords() wire.TaskStartParams {
	p, words := j.p, []string{}
	for _, e := range j.before {
		words = append(words, e.Asked)
	}
	p.Text = strings.Join(append(words, p.Text), "\n")
	return p
}

// newID gives ids that sort by time.
func newID() string {
	return "t" + strconv.FormatInt(time.Now().UnixMilli(), 36) + strings.ToLower(rand.Text()[:4])
}

// workable tells pages from the browser's own, which refuse the debugger.
func workable(url string) bool {
	clean, err := browser.CheckURL(url)
	return err == nil && clean != ""
}
