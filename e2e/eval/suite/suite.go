// Package suite defines a suite of tasks. A task is given in words and done on a site of its
// own, whose server judges it. Suites implement it, and ../ runs them. It imports nothing of
// the project.
package suite

import "errors"

// ErrJudge is wrapped by Check if a run could not be judged. The fault is the suite's, and
// the run counts neither as solved nor as failed.
var ErrJudge = errors.New("the run could not be judged")

// Task is a task in a user's words.
type Task struct {
	ID    string // unique in its suite
	Lang  string // en or zh
	Text  string // what the user asks for
	Start string // the path on the site to begin at
	Level int    // 1 to 3, by Acts
	Acts  int    // what a user who knows the site needs
}

// World is the site of one run of a task: a server of its own, as it is before
// the task, and what was done to it since.
type World interface {
	// URL is the site's address, without a path.
	URL() string
	// Check judges the run by the site's own record: nil says that the task is
	// solved, an error says why not, in a line. The answer counts only where the
	// task is a question: the exact value must stand in it.
	Check(answer string) error
	// Wrong counts the acts on wrong elements that the site saw; -1: it can't tell.
	Wrong() int
	Close()
}

// Suite is a set of tasks.
type Suite interface {
	Name() string
	Tasks() []Task
	// Open starts the site of a task, with the data that the seed gives: the same
	// for the same seed.
	Open(t Task, seed int64) (World, error)
}
