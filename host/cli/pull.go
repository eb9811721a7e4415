package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"tabwright/host/serve"
	"tabwright/llm"
)

func modelsPullCommand() *cobra.Command {
	return &cobra.Command{
		Use: "pull NAME", Short: "Download a model with Ollama", Args: cobra.ExactArgs(1),
		Long:    "Downloads a model from Ollama's library, and shows the progress. An interrupted download resumes where it\nstopped.",
		Example: "  tabwright models pull qwen3.5:4b",
		RunE: func(cmd *cobra.Command, args []string) error {
			env, err := serve.Load()
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			return pullModel(cmd.Context(), cmd.OutOrStdout(), env.ModelConfig, args[0], asJSON(cmd))
		},
	}
}

// pullModel shows the progress in one line of a terminal, and elsewhere as a line for
// each tenth.
func pullModel(ctx context.Context, out io.Writer, config configOf, name string, inJSON bool) error {
	if err := llm.CheckPullName(name); err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	cfg, err := config("ollama")
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	line := pullLine{out: out, name: name, tty: terminalTo(out).answer != nil, began: time.Now()}
	show := line.show
	if inJSON {
		show = func(p llm.PullProgress) {
			_ = json.NewEncoder(out).Encode(map[string]any{"model": name, "status": p.Status, "done": p.Done, "total": p.Total})
		}
	}
	err = llm.Pull(ctx, cfg, name, show)
	line.end()
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return &exitError{code: exitCancelled, err: errors.New("stopped; the next pull resumes here")}
	case err != nil:
		return &exitError{code: exitFailed, err: err}
	}
	if inJSON {
		return json.NewEncoder(out).Encode(map[string]string{"pulled": name})
	}
	fmt.Fprintf(out, "%s is there. Use it with: tabwright run --model ollama/%s …\n", name, name)
	return nil
}

// pullLine is where the progress of a pull is shown.
type pullLine struct {
	out   io.Writer
	name  string
	tty   bool
	began time.Time
	first int64 // bytes that were there before
	tenth int64
	said  string
	open  bool
}

func (l *pullLine) show(p llm.PullProgress) {
	if l.said == "" {
		l.tenth = -1
	}
	if p.Total == 0 {
		if p.Status != l.said {
			l.end()
			fmt.Fprintln(l.out, p.Status)
		}
		l.said = p.Status
		return
	}
	if l.first == 0 {
		l.first = p.Done
	}
	tenth := p.Done * 10 / p.Total
	text := fmt.Sprintf("%s: %d %% of %.1f GB", l.name, p.Done*100/p.Total, float64(p.Total)/1e9)
	if took := time.Since(l.began).Seconds(); took > 1 {
		text += fmt.Sprintf(", %.1f MB/s", float64(p.Done-l.first)/1e6/took)
	}
	switch {
	case l.tty:
		fmt.Fprintf(l.out, "\r\x1b[K%s", text)
		l.open = true
	case tenth != l.tenth:
		fmt.Fprintln(l.out, text)
	}
	l.tenth, l.said = tenth, p.Status
}

// end ends the line that is written over and over.
func (l *pullLine) end() {
	if l.open {
		fmt.Fprintln(l.out)
		l.open = false
	}
}
