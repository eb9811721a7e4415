// Command eval lets an agent do a suite of tasks with a model, and counts the tasks that are
// solved according to the records of the sites. It drives a Tabwright binary from outside, as
// a user does. So it can measure any version of Tabwright, and other programs in the same way.
//
//	make eval MODEL=ollama/qwen3:8b SUITE=bundled N=10
//
// Start reading at runner.run; suites implement e2e/eval/suite.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"tabwright/e2e/eval/grounding"
	"tabwright/e2e/eval/suite"
	"tabwright/e2e/rig"
	"tabwright/llm"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := eval(ctx, os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "stopped; the same command goes on with the next task")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	suite, tasks, agent, binary, label string
	model                              model
	n, maxSteps                        int
	maxTime                            time.Duration
	seed                               int64
	out, transcripts                   string
	list                               bool
	forms, answers                     string // of the suite grounding
}

// model is who decides, as the settings of Tabwright name it.
type model struct {
	provider, baseURL, name string
	set                     settings // further settings of Tabwright
}

// String is the provider with the name.
func (m model) String() string {
	if m.provider == "" {
		return m.name
	}
	return m.provider + "/" + m.name
}

// settings are repeated -set flags.
type settings []string

func (s *settings) String() string { return strings.Join(*s, ",") }

// Set adds one.
func (s *settings) Set(v string) error {
	if !strings.Contains(v, "=") {
		return errors.New("a setting is name=value")
	}
	*s = append(*s, v)
	slices.Sort(*s)
	return nil
}

// usualTime is the longest that a task may take, unless a flag says otherwise.
const usualTime = 15 * time.Minute

// parse reads the flags and checks that they go together.
func parse(args []string) (options, error) {
	var o options
	var seconds int
	fl := flag.NewFlagSet("eval", flag.ContinueOnError)
	fl.StringVar(&o.model.name, "model", os.Getenv("TABWRIGHT_MODEL"), "the model, with its provider (ollama/qwen3:8b) or without")
	fl.StringVar(&o.model.provider, "provider", "", "who runs the model, where -model does not say it; default: TABWRIGHT_PROVIDER, else ollama")
	fl.StringVar(&o.model.baseURL, "base-url", os.Getenv("TABWRIGHT_BASE_URL"), "address of the model server; default: the provider's")
	fl.Var(&o.model.set, "set", "a further setting of Tabwright, name=value; may be repeated")
	fl.StringVar(&o.suite, "suite", "bundled", strings.Join(suiteNames(), " or ")+", or "+grounding.Name+": which element of a page is meant?")
	fl.IntVar(&o.n, "n", 0, "how many tasks, taken evenly from all levels, or questions; 0: all")
	fl.StringVar(&o.tasks, "tasks", "", "only these tasks by id, or pages of the suite grounding, with commas between")
	fl.StringVar(&o.agent, "agent", ownAgent, "tabwright or browser-use")
	fl.StringVar(&o.binary, "binary", "", "the Tabwright to measure; default: one built of this tree")
	fl.IntVar(&o.maxSteps, "max-steps", 0, "most steps of a task; 0: three times the acts it needs, and four")
	fl.IntVar(&seconds, "max-seconds", int(usualTime.Seconds()), "longest time of a task")
	fl.Int64Var(&o.seed, "seed", 1, "what the sites' data come from")
	fl.StringVar(&o.label, "label", "", "a name for this way of running, kept apart from others in the results")
	fl.StringVar(&o.out, "out", "", "the results, a line of JSON a task; default: in .cache/eval, by suite, model and agent")
	fl.StringVar(&o.transcripts, "transcripts", "", "a folder for what each task's agent saw, said and did")
	fl.StringVar(&o.forms, "form", "list,lines,snapshot,tags", "of the suite grounding: forms of the list of elements, with commas between")
	fl.StringVar(&o.answers, "answer", grounding.AnswerIndex, "of the suite grounding: ways to answer, of "+strings.Join(grounding.Answers, ", "))
	fl.BoolVar(&o.list, "list", false, "list the tasks, and run none")
	if err := fl.Parse(args); err != nil {
		return o, err
	}
	o.maxTime = time.Duration(seconds) * time.Second
	switch {
	case fl.NArg() > 0:
		return o, fmt.Errorf("%q is no flag", fl.Arg(0))
	case seconds < 1 || o.n < 0 || o.maxSteps < 0:
		return o, errors.New("-n, -max-steps and -max-seconds are no negative numbers")
	case o.agent != ownAgent && len(o.model.set) > 0:
		return o, fmt.Errorf("-set is a setting of Tabwright, and none of %s", o.agent)
	case o.model.name == "" && !o.list:
		return o, errors.New("which model? -model ollama/qwen3:8b, or MODEL= for make")
	}
	o.model.split()
	if o.out == "" {
		name := strings.Join([]string{o.suite, o.model.name, o.agent}, "-")
		o.out = filepath.Join(rig.Root(), ".cache", "eval", fileName(name)+".jsonl")
	}
	return o, nil
}

// split takes the provider from the name, where it stands there and no other was
// given.
func (m *model) split() {
	if m.provider != "" {
		return
	}
	if p, name, ok := strings.Cut(m.name, "/"); ok && slices.Contains(llm.Providers(), p) {
		m.provider, m.name = p, name
		return
	}
	m.provider = os.Getenv("TABWRIGHT_PROVIDER")
	if m.provider == "" {
		m.provider = "ollama"
	}
}

// eval runs the tasks, or the questions of the suite grounding, that have no result yet,
// and prints and saves what all results come to, also those before an error.
func eval(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.suite == grounding.Name {
		return ground(ctx, o)
	}
	s, err := openSuite(o.suite)
	if err != nil {
		return err
	}
	tasks, err := choose(s.Tasks(), o.tasks, o.n)
	if err != nil {
		return err
	}
	if o.list {
		for _, t := range tasks {
			fmt.Fprintf(os.Stdout, "%s\tlevel %d\t%s\t%s\n", t.ID, t.Level, t.Lang, t.Text)
		}
		return nil
	}
	a, err := openAgent(ctx, o)
	if err != nil {
		return err
	}
	results, err := openResults(o.out)
	if err != nil {
		return err
	}
	defer results.Close()
	r := runner{options: o, suite: s, agent: a, results: results, out: os.Stdout}
	done, err := r.run(ctx, tasks)
	if len(done) > 0 {
		sum := summarize(done)
		sum.print(os.Stdout)
		if e := sum.save(strings.TrimSuffix(o.out, ".jsonl") + ".summary.json"); e != nil {
			err = errors.Join(err, e)
		}
		fmt.Fprintln(os.Stdout, "\nresults:", o.out)
	}
	return err
}

// ownAgent is Tabwright, among the agents.
const ownAgent = "tabwright"

// openAgent finds the agent, and makes what it runs.
func openAgent(ctx context.Context, o options) (agent, error) {
	switch o.agent {
	case ownAgent:
		bin := o.binary
		if bin == "" {
			var err error
			if bin, err = rig.Build(ctx); err != nil {
				return nil, err
			}
		}
		return newTabwright(ctx, bin, o.model)
	case "browser-use":
		return newPeer(ctx, filepath.Join(rig.Root(), "e2e", "eval", "peer", "run.py"), o.model)
	default:
		return nil, fmt.Errorf("-agent is tabwright or browser-use, not %q", o.agent)
	}
}

// choose gives the tasks that were named, or n taken evenly from all levels and
// languages: fewer are always among more.
func choose(all []suite.Task, ids string, n int) ([]suite.Task, error) {
	if ids != "" {
		var out []suite.Task
		for id := range strings.SplitSeq(ids, ",") {
			i := slices.IndexFunc(all, func(t suite.Task) bool { return t.ID == id })
			if i < 0 {
				return nil, fmt.Errorf("the suite has no task %q; -list lists them", id)
			}
			out = append(out, all[i])
		}
		return out, nil
	}
	if n == 0 || n >= len(all) {
		return all, nil
	}
	return evenly(all)[:n], nil
}
