package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tabwright/host/control/client"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
)

// flowLook is how often a workflow that is followed is looked at.
const flowLook = 300 * time.Millisecond

// flowCommand is workflows: tasks that depend on each other's results.
func flowCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "flow", Short: "Run workflows: graphs of tasks that use each other's results",
		Long: "A workflow is a graph of tasks in your Chrome. The model makes it from a sentence, or you write it as YAML\n" +
			"(docs/workflows.md). Each task is a node and works in a tab of its own. Its result goes to the nodes that need it.",
		Example: "  tabwright flow run \"compare the three cheapest blue mugs\" --url https://shop.example\n  tabwright flow run mugs.yaml\n" +
			"  tabwright flow modify w1abc \"also compare delivery times\"\n  tabwright flow save w1abc -o half.yaml",
	}
	cmd.AddCommand(flowRun(), flowShow(), flowList(),
		flowVerb("pause", "Pause a workflow: running nodes wait before their next step, and no other begins", wire.MethodFlowPause),
		flowVerb("resume", "Continue a workflow; nodes that are done are not run again", wire.MethodFlowResume),
		flowVerb("stop", "Stop a workflow and its running tasks; you can resume it later", wire.MethodFlowStop),
		flowModify(), flowSave(), flowRestore())
	return cmd
}

// flowCall calls a method of workflows and prints what it gives.
func flowCall(cmd *cobra.Command, method string, params any, follow bool) error {
	c, err := serve.Dial(cmd.Context(), true)
	if err != nil {
		return failedWith(err)
	}
	defer c.Close()
	var info wire.FlowInfo
	if err := c.Call(cmd.Context(), method, params, &info); err != nil {
		return failedWith(err)
	}
	if !follow {
		return printFlow(cmd, info)
	}
	return followFlow(cmd, c, info)
}

// printFlow prints a workflow, as JSON where that was asked for.
func printFlow(cmd *cobra.Command, info wire.FlowInfo) error {
	out := cmd.OutOrStdout()
	if asJSON, err := cmd.Flags().GetBool("json"); err == nil && asJSON {
		return json.NewEncoder(out).Encode(info)
	}
	fmt.Fprintf(out, "%s %s: %s\n", info.Flow, info.State, info.Title)
	for _, n := range info.Nodes {
		printNode(out, n)
	}
	return nil
}

var nodeMarks = map[wire.NodeState]string{
	wire.NodeWaiting: "○", wire.NodeRunning: "▶", wire.NodeDone: "✔", wire.NodeFailed: "✘", wire.NodeSkipped: "–",
}

func printNode(out io.Writer, n wire.FlowNode) {
	line := fmt.Sprintf("%s %s%s (%s)", nodeMarks[n.State], strings.Repeat("  ", n.Level), n.ID, n.State)
	if len(n.Needs) > 0 {
		line += " needs " + strings.Join(n.Needs, ", ")
	}
	fmt.Fprintf(out, "%s: %s\n", line, firstLine(n.Text))
	switch {
	case n.Asks:
		fmt.Fprintln(out, "    ? it waits for you in the side panel")
	case n.Error != nil:
		fmt.Fprintln(out, "    "+n.Error.Message)
	case n.Note != "":
		fmt.Fprintln(out, "    "+firstLine(n.Note))
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// followFlow prints each node as it changes, until the workflow ends or pauses.
// Ctrl-C leaves it running: it is the broker's.
func followFlow(cmd *cobra.Command, c *client.Client, info wire.FlowInfo) error {
	out := cmd.OutOrStdout()
	inJSON := asJSON(cmd)
	if !inJSON {
		fmt.Fprintf(out, "%s %s\n", info.Flow, info.Title)
	}
	said := map[string]string{}
	tick := time.NewTicker(flowLook)
	defer tick.Stop()
	for {
		for _, n := range info.Nodes {
			if now := fmt.Sprint(n.State, n.Asks); said[n.ID] != now {
				said[n.ID] = now
				if inJSON {
					_ = json.NewEncoder(out).Encode(n)
				} else {
					printNode(out, n)
				}
			}
		}
		if inJSON && info.State != wire.FlowRunning {
			if err := printFlow(cmd, info); err != nil {
				return err
			}
			out = io.Discard
		}
		switch info.State {
		case wire.FlowRunning:
		case wire.FlowDone:
			fmt.Fprintln(out, "✔ done")
			return nil
		case wire.FlowPaused:
			fmt.Fprintf(out, "■ paused; tabwright flow resume %s continues it\n", info.Flow)
			return nil
		default:
			e := errors.New(string(info.State))
			if info.Error != nil {
				e = errors.New(info.Error.Message)
			}
			return &exitError{code: exitFailed, err: e}
		}
		select {
		case <-tick.C:
		case <-cmd.Context().Done():
			fmt.Fprintf(out, "■ it continues in the background; tabwright flow stop %s stops it\n", info.Flow)
			return &exitError{code: exitCancelled, err: context.Canceled, quiet: true}
		}
		if err := c.Call(cmd.Context(), wire.MethodFlowShow, wire.FlowRef{Flow: info.Flow}, &info); err != nil && cmd.Context().Err() == nil {
			return failedWith(err)
		}
	}
}

func flowRun() *cobra.Command {
	var p wire.FlowRunParams
	var detach bool
	cmd := &cobra.Command{
		Use: "run SENTENCE|FILE", Short: "Run a workflow, from a sentence or a YAML file", Args: oneTask,
		Example: "  tabwright flow run \"compare the three cheapest blue mugs\" --url https://shop.example\n  tabwright flow run mugs.yaml --detach",
		RunE: func(cmd *cobra.Command, args []string) error {
			p.Text = args[0]
			if strings.HasSuffix(args[0], ".yaml") || strings.HasSuffix(args[0], ".yml") {
				raw, err := os.ReadFile(args[0])
				if err != nil {
					return &exitError{code: exitUsage, err: err}
				}
				p.Text, p.File = "", string(raw)
			}
			return flowCall(cmd, wire.MethodFlowRun, p, !detach)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&p.URL, "url", "", "the first page of nodes that name none")
	fl.StringVar(&p.Model, "model", "", "the model as provider/name; default: the configured one")
	fl.IntVar(&p.Parallel, "parallel", 0, "how many nodes run at a time, 1 to 4; default: as the file says, or 2")
	fl.BoolVar(&detach, "detach", false, "print the workflow's id and return; the workflow continues in the background")
	return cmd
}

func flowShow() *cobra.Command {
	return &cobra.Command{
		Use: "show [FLOW]", Short: "Show a workflow and its nodes; without FLOW, list all workflows", Args: cobra.MaximumNArgs(1), Example: "  tabwright flow show w1abc",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listFlows(cmd)
			}
			return flowCall(cmd, wire.MethodFlowShow, wire.FlowRef{Flow: args[0]}, false)
		},
	}
}

func flowList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the workflows", Args: cobra.NoArgs, Example: "  tabwright flow list",
		RunE: func(cmd *cobra.Command, _ []string) error { return listFlows(cmd) },
	}
}

func listFlows(cmd *cobra.Command) error {
	c, err := serve.Dial(cmd.Context(), true)
	if err != nil {
		return failedWith(err)
	}
	defer c.Close()
	list := wire.FlowList{}
	if err := c.Call(cmd.Context(), wire.MethodFlowList, wire.Empty{}, &list); err != nil {
		return failedWith(err)
	}
	return printed(cmd, list, func(w io.Writer) error {
		for _, f := range list.Flows {
			fmt.Fprintf(w, "%s\t%s\t%s\n", f.Flow, f.State, f.Title)
		}
		return nil
	})
}

func flowVerb(verb, short, method string) *cobra.Command {
	return &cobra.Command{
		Use: verb + " FLOW", Short: short, Args: cobra.ExactArgs(1), Example: "  tabwright flow " + verb + " w1abc",
		RunE: func(cmd *cobra.Command, args []string) error {
			return flowCall(cmd, method, wire.FlowRef{Flow: args[0]}, false)
		},
	}
}

func flowModify() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use: "modify FLOW [SENTENCE]", Short: "Change a workflow, also while it runs; parts (nodes) that have begun stay as they are", Args: cobra.RangeArgs(1, 2),
		Example: "  tabwright flow modify w1abc \"also compare delivery times\"\n  tabwright flow modify w1abc --file mugs.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			p := wire.FlowModifyParams{Flow: args[0]}
			switch {
			case file != "" && len(args) == 1:
				raw, err := os.ReadFile(file)
				if err != nil {
					return &exitError{code: exitUsage, err: err}
				}
				p.File = string(raw)
			case file == "" && len(args) == 2:
				p.Text = args[1]
			default:
				return &exitError{code: exitUsage, err: errors.New("say what to change: give a sentence or --file, not both")}
			}
			return flowCall(cmd, wire.MethodFlowModify, p, false)
		},
	}
	cmd.Flags().StringVar(&file, "file", "", "a YAML file with the whole new graph, instead of a sentence")
	return cmd
}

func flowSave() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use: "save FLOW", Short: "Save a workflow to a file, with the results so far", Args: cobra.ExactArgs(1),
		Example: "  tabwright flow save w1abc -o half.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := serve.Dial(cmd.Context(), true)
			if err != nil {
				return failedWith(err)
			}
			defer c.Close()
			return failedWith(saveOrPrint(cmd, file, func() (out wire.Exported, err error) {
				err = c.Call(cmd.Context(), wire.MethodFlowSave, wire.FlowSaveParams{Flow: args[0]}, &out)
				return out, err
			}))
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", "", "write to this file instead of standard output")
	return cmd
}

func flowRestore() *cobra.Command {
	var hold, detach bool
	cmd := &cobra.Command{
		Use: "restore FILE", Short: "Continue a saved workflow; nodes that are done in the file are not run again", Args: cobra.ExactArgs(1),
		Example: "  tabwright flow restore half.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			raw, err := os.ReadFile(args[0])
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			return flowCall(cmd, wire.MethodFlowRestore, wire.FlowRestoreParams{File: string(raw), Hold: hold}, !detach)
		},
	}
	cmd.Flags().BoolVar(&hold, "hold", false, "load the workflow without starting it; flow resume starts it")
	cmd.Flags().BoolVar(&detach, "detach", false, "print the workflow's id and return; the workflow continues in the background")
	return cmd
}
