package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tabwright/host/config"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
	"tabwright/llm"
)

func modelsCommand() *cobra.Command {
	var provider string
	cmd := &cobra.Command{
		Use: "models", Short: "List the models that can be reached, and what each can do", Args: cobra.NoArgs,
		Example: "  tabwright models\n  tabwright models --provider openrouter\n  tabwright models check qwen3.5:9b",
		RunE: func(cmd *cobra.Command, _ []string) error {
			env, err := serve.Load()
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			if provider != "" {
				if err := config.CheckProvider(provider); err != nil {
					return &exitError{code: exitUsage, err: err}
				}
			}
			return listModels(cmd.Context(), cmd.OutOrStdout(), remembering(env.ModelConfig), provider)
		},
	}
	cmd.Flags().StringVar(&provider, "provider", "", "another provider than the configured one: "+strings.Join(llm.Providers(), ", "))
	cmd.AddCommand(modelsCheckCommand(), modelsForgetCommand(), modelsPullCommand())
	return cmd
}

func modelsForgetCommand() *cobra.Command {
	return &cobra.Command{
		Use: "forget NAME", Short: "Forget what was seen not to work with a model, so that it is tried again", Args: cobra.ExactArgs(1),
		Long: "Forgets which ways to an action, and whether pictures, were seen to fail with a model (\"learned\" in the list).\nNAME is the model, or provider/model.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := forgetModel(cmd.Context(), serve.WaysFile(), args[0]); err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Forgotten: what was learned of %s.\n", args[0])
			return nil
		},
	}
}

// forgetModel forgets in the broker, which has it in memory, where one runs, else in the file.
func forgetModel(ctx context.Context, ways llm.WayStore, name string) error {
	if c, err := serve.Dial(ctx, false); err == nil {
		defer c.Close()
		err = c.Call(ctx, wire.MethodModelForget, wire.ModelRef{ID: name}, nil)
		if !errors.Is(err, &wire.Error{Code: wire.CodeUnknownMethod}) { // of an older broker
			return err
		}
	}
	return llm.Forget(ways, name)
}

func modelsCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use: "check NAME", Short: "Send a model one real request of each kind and say what works", Args: cobra.ExactArgs(1),
		Long: "Sends a plain question, a tool call, constrained output, JSON in Markdown and two pictures: at most six short\nrequests, which a paid provider charges for. NAME is a model of the configured provider, or provider/name.",
		RunE: func(cmd *cobra.Command, args []string) error {
			env, err := serve.Load()
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			return checkModel(cmd.Context(), cmd.OutOrStdout(), env.ModelConfig, args[0])
		},
	}
}

type configOf func(provider string) (llm.Config, error)

// remembering adds what was remembered of the models, so that a list shows the
// way that a task would take.
func remembering(config configOf) configOf {
	return func(provider string) (llm.Config, error) {
		cfg, err := config(provider)
		cfg.Ways = serve.WaysFile()
		return cfg, err
	}
}

// manyModels is from where on a hosted provider's list is given by name alone:
// asking for each would be a request each.
const manyModels = 40

func listModels(ctx context.Context, out io.Writer, config configOf, provider string) error {
	cfg, err := config(provider)
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	found, err := llm.ListModels(ctx, cfg)
	if err != nil {
		return &exitError{code: exitFailed, err: err}
	}
	if len(found) == 0 {
		return &exitError{code: exitFailed, err: &llm.Error{
			Code: llm.CodeModelNotFound, Message: "the server has no models yet", Hint: "for Ollama: tabwright models pull " + llm.SuggestedModel(llm.MachineMemory()),
		}}
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "MODEL\tTOOLS\tVISION\tTHINKS\tWINDOW\tSIZE\tMODE\tPRICE (in/out per million)")
	for _, f := range found {
		id := cfg.Provider + "/" + f.Name
		if len(found) > manyModels && f.Name != cfg.Model {
			fmt.Fprintf(w, "%s\t\t\t\t%s\t\t\t\n", id, tokens(f.Context))
			continue
		}
		line, err := modelLine(ctx, cfg, f)
		if err != nil {
			line = err.Error()
		}
		fmt.Fprintf(w, "%s\t%s\n", id, line)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, f := range found {
		switch {
		case f.Recommended:
			fmt.Fprintf(out, "\nRecommended on this computer: %s\n", f.Name)
		case f.Problem != nil:
			fmt.Fprintf(out, "Won't work: %s; %s.\n", f.Problem.Message, f.Problem.Hint)
		}
	}
	return nil
}

// sizeOf is what a model takes on disk, with its parameters and quantization.
func sizeOf(f llm.ModelInfo) string {
	if f.Size == 0 || f.Remote {
		return ""
	}
	return strings.TrimRight(strings.Join([]string{fmt.Sprintf("%.1f GB", float64(f.Size)/1e9), f.Parameters, f.Quantization}, " "), " ")
}

// modelLine is what a model would be used as: what it can do (a star marks what
// the user says), the window, dom or hybrid, its size, the way to an action, the prompt;
// of one that points its format.
func modelLine(ctx context.Context, cfg llm.Config, f llm.ModelInfo) (string, error) {
	cfg.Model = f.Name
	m, err := llm.New(ctx, cfg)
	if err != nil {
		return "", err
	}
	caps, err := m.Capabilities(ctx)
	if err != nil {
		return "", err
	}
	window := tokens(caps.Context)
	if caps.MaxContext > caps.Context {
		window += " of " + tokens(caps.MaxContext)
	}
	mode := fmt.Sprintf("%s, %s, %s prompt", caps.Mode(), m.Way(caps), caps.Size)
	if caps.Family != "" {
		mode = caps.Mode() + ", " + caps.Family
	}
	learned := ""
	if list := m.Learnt(); len(list) > 0 {
		learned = "; learned: no " + strings.Join(list, ", no ")
	}
	return strings.Join([]string{
		yesOr(caps, "tools", caps.Tools), yesOr(caps, "vision", caps.Vision), yesOr(caps, "thinking", caps.Thinking), window, sizeOf(f),
		mode + learned, price(caps),
	}, "\t"), nil
}

func yesOr(caps llm.Capabilities, what string, yes bool) string {
	word := "no"
	if yes {
		word = "yes"
	}
	if caps.Source[what] == "user" {
		word += "*"
	}
	return word
}

func price(caps llm.Capabilities) string {
	switch {
	case caps.Local:
		return "local"
	case caps.Price == nil:
		return "unknown"
	default:
		return fmt.Sprintf("%.2f/%.2f", caps.Price.Input, caps.Price.Output)
	}
}

func tokens(n int) string {
	switch {
	case n <= 0:
		return "?"
	case n >= 1000:
		return fmt.Sprintf("%dk", n/1000)
	default:
		return fmt.Sprint(n)
	}
}

func checkModel(ctx context.Context, out io.Writer, config configOf, name string) error {
	provider := ""
	if p, rest, ok := strings.Cut(name, "/"); ok && isProvider(p) {
		provider, name = p, rest
	}
	cfg, err := config(provider)
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	cfg.Model, cfg.Retries = name, -1
	m, err := llm.New(ctx, cfg)
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	fmt.Fprintf(out, "%s\n", m.Name())
	_, err = m.Check(ctx, func(r llm.ProbeResult) {
		verdict := "no "
		if r.OK {
			verdict = "yes"
		}
		fmt.Fprintf(out, "  %s  %-19s %6s  %4d in %4d out  %s\n",
			verdict, r.Kind, r.Took.Round(10*time.Millisecond), r.Usage.Input, r.Usage.Output, cmp.Or(r.Said, "-"))
	})
	if err != nil {
		return &exitError{code: exitFailed, err: err}
	}
	return nil
}

func isProvider(name string) bool {
	for _, p := range llm.Providers() {
		if p == name {
			return true
		}
	}
	return false
}
