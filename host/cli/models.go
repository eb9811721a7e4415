package cli

import (
	"cmp"
	"context"
	"encoding/json"
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
			return listModels(cmd.Context(), cmd.OutOrStdout(), remembering(env.ModelConfig), provider, asJSON(cmd))
		},
	}
	cmd.Flags().StringVar(&provider, "provider", "", "use this provider instead of the configured one: "+strings.Join(llm.Providers(), ", "))
	list := &cobra.Command{Use: "list", Short: cmd.Short, Args: cobra.NoArgs, Example: "  tabwright models list --json", RunE: cmd.RunE}
	list.Flags().AddFlag(cmd.Flags().Lookup("provider"))
	cmd.AddCommand(list, modelsCheckCommand(), modelsForgetCommand(), modelsPullCommand())
	return cmd
}

func modelsForgetCommand() *cobra.Command {
	return &cobra.Command{
		Use: "forget NAME", Short: "Forget which ways to call tools failed with a model, so that they are tried again", Args: cobra.ExactArgs(1),
		Example: "  tabwright models forget qwen3.5:9b",
		Long:    "Forgets which ways to an action failed with a model, and whether pictures did (\"learned\" in the list).\nNAME is the model, or provider/model.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := forgetModel(cmd.Context(), serve.WaysFile(), args[0]); err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			return printed(cmd, map[string]string{"forgotten": args[0]}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "Forgot what was learned about %s.\n", args[0])
				return err
			})
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
		Use: "check NAME", Short: "Send a model one request of each kind and say which kinds work", Args: cobra.ExactArgs(1),
		Example: "  tabwright models check qwen3.5:9b\n  tabwright models check openai/gpt-4.1-mini",
		Long:    "Sends a plain question, a tool call, constrained output, JSON in Markdown and two pictures: at most six short\nrequests, which a paid provider charges for. NAME is a model of the configured provider, or provider/name.",
		RunE: func(cmd *cobra.Command, args []string) error {
			env, err := serve.Load()
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			return checkModel(cmd.Context(), cmd.OutOrStdout(), env.ModelConfig, args[0], asJSON(cmd))
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

func listModels(ctx context.Context, out io.Writer, config configOf, provider string, inJSON bool) error {
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
	var all []modelView
	for _, f := range found {
		v := modelView{ID: cfg.Provider + "/" + f.Name, Window: tokens(f.Context), Recommended: f.Recommended}
		if len(found) <= manyModels || f.Name == cfg.Model {
			if err := v.ask(ctx, cfg, f); err != nil {
				v.Error = err.Error()
			}
		}
		if f.Problem != nil {
			v.Problem = f.Problem.Message + "; " + f.Problem.Hint
		}
		all = append(all, v)
	}
	if inJSON {
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		return enc.Encode(map[string]any{"models": all})
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "MODEL\tTOOLS\tVISION\tTHINKS\tWINDOW\tSIZE\tMODE\tPRICE (in/out per million)")
	for _, v := range all {
		if v.Error != "" {
			fmt.Fprintf(w, "%s\t%s\n", v.ID, v.Error)
			continue
		}
		fmt.Fprintln(w, strings.Join([]string{v.ID, v.Tools, v.Vision, v.Thinks, v.Window, v.Size, v.Mode, v.Price}, "\t"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for i, v := range all {
		switch {
		case v.Recommended:
			fmt.Fprintf(out, "\nRecommended on this computer: %s\n", found[i].Name)
		case v.Problem != "":
			fmt.Fprintf(out, "Won't work: %s.\n", v.Problem)
		}
	}
	return nil
}

// modelView is what a model would be used as: what it can do (a star marks what the user
// says), the window, dom or hybrid, its size, the way to an action, the prompt; of one
// that points its format.
type modelView struct {
	ID          string `json:"id"`
	Tools       string `json:"tools,omitempty"`
	Vision      string `json:"vision,omitempty"`
	Thinks      string `json:"thinks,omitempty"`
	Window      string `json:"window,omitempty"`
	Size        string `json:"size,omitempty"`
	Mode        string `json:"mode,omitempty"`
	Price       string `json:"price,omitempty"`
	Recommended bool   `json:"recommended,omitempty"`
	Problem     string `json:"problem,omitempty"`
	Error       string `json:"error,omitempty"`
}

// sizeOf is what a model takes on disk, with its parameters and quantization.
func sizeOf(f llm.ModelInfo) string {
	if f.Size == 0 || f.Remote {
		return ""
	}
	return strings.TrimRight(strings.Join([]string{fmt.Sprintf("%.1f GB", float64(f.Size)/1e9), f.Parameters, f.Quantization}, " "), " ")
}

// ask fills in what the server says of a model.
func (v *modelView) ask(ctx context.Context, cfg llm.Config, f llm.ModelInfo) error {
	cfg.Model = f.Name
	m, err := llm.New(ctx, cfg)
	if err != nil {
		return err
	}
	caps, err := m.Capabilities(ctx)
	if err != nil {
		return err
	}
	v.Window = tokens(caps.Context)
	if caps.MaxContext > caps.Context {
		v.Window += " of " + tokens(caps.MaxContext)
	}
	v.Mode = fmt.Sprintf("%s, %s, %s prompt", caps.Mode(), m.Way(caps), caps.Size)
	if caps.Family != "" {
		v.Mode = caps.Mode() + ", " + caps.Family
	}
	if list := m.Learnt(); len(list) > 0 {
		v.Mode += "; learned: no " + strings.Join(list, ", no ")
	}
	v.Tools, v.Vision, v.Thinks = yesOr(caps, "tools", caps.Tools), yesOr(caps, "vision", caps.Vision), yesOr(caps, "thinking", caps.Thinking)
	v.Size, v.Price = sizeOf(f), price(caps)
	return nil
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

func checkModel(ctx context.Context, out io.Writer, config configOf, name string, inJSON bool) error {
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
	if !inJSON {
		fmt.Fprintf(out, "%s\n", m.Name())
	}
	_, err = m.Check(ctx, func(r llm.ProbeResult) {
		if inJSON {
			_ = json.NewEncoder(out).Encode(map[string]any{
				"model": m.Name(), "kind": r.Kind, "ok": r.OK, "ms": r.Took.Milliseconds(), "input": r.Usage.Input, "output": r.Usage.Output, "said": r.Said,
			})
			return
		}
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
