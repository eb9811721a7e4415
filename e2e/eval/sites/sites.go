// Package sites is the bundled suite: forty tasks in three levels on six small sites, in
// English and Chinese. The sites, of several pages each, are a tea shop, a mailbox, an issue
// tracker, a bank, a studio that takes bookings, and a manual. The sites are as different as
// real ones are: some are rendered by the server, some draw themselves from JSON, some are
// made of native controls and some of elements with click handlers.
//
// The text of a task is fixed, and what it names is always there. All else
// comes from the seed: prices, amounts, times, numbers, the order of rows, what
// stands around, and with them the answers to questions and the targets of
// tasks such as "the cheapest". No date is taken from the machine's clock.
//
// The verdict is the server's. A site tells its whole state as facts, which are
// compared after each request: see world. Start reading at New, and a site at
// its tasks.
package sites

import (
	"fmt"
	"slices"

	"tabwright/e2e/eval/suite"
)

// task is one of the suite, with its site and what solves it.
type task struct {
	suite.Task
	open func(b base) site
	goal func(s site) goal
}

// on makes the tasks of a site, whose goals are found in the site as it is
// before the task.
func on[S site](open func(base) S, tasks ...taskOn[S]) []task {
	var out []task
	for _, t := range tasks {
		out = append(out, task{
			Task: t.Task,
			open: func(b base) site { return open(b) },
			goal: func(s site) goal { return t.goal(s.(S)) },
		})
	}
	return out
}

type taskOn[S site] struct {
	suite.Task
	goal func(S) goal
}

var tasks = slices.Concat(shopTasks, mailTasks, trackerTasks, bankTasks, bookingTasks, docsTasks)

// New gives the suite.
func New() suite.Suite { return bundled{} }

type bundled struct{}

func (bundled) Name() string { return "bundled" }

func (bundled) Tasks() []suite.Task {
	var out []suite.Task
	for _, t := range tasks {
		out = append(out, t.Task)
	}
	return out
}

func (bundled) Open(t suite.Task, seed int64) (suite.World, error) {
	for i := range tasks {
		if tasks[i].ID == t.ID {
			return newWorld(&tasks[i], seed)
		}
	}
	return nil, fmt.Errorf("the suite has no task %q", t.ID)
}
