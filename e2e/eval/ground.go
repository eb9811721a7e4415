package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tabwright/e2e/eval/grounding"
	"tabwright/llm"
)

// ground runs the suite grounding: it has questions and no tasks, and asks the
// model itself.
func ground(ctx context.Context, o options) error {
	if o.list {
		pages, err := grounding.Pages(uint64(o.seed))
		if err != nil {
			return err
		}
		for _, q := range grounding.Sample(pages, o.n) {
			fmt.Fprintf(os.Stdout, "%s\t%s\t%s\n", q.ID, q.Kind, q.Text)
		}
		return nil
	}
	no, cold := false, 0.0
	m, err := llm.New(ctx, llm.Config{Provider: o.model.provider, Model: o.model.name, BaseURL: o.model.baseURL, Tools: &no, Think: "false", Temperature: &cold})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(o.out), 0o755); err != nil {
		return err
	}
	var pages []string
	if o.tasks != "" {
		pages = strings.Split(o.tasks, ",")
	}
	rs, err := grounding.Run(ctx, grounding.Options{
		Model: m, Name: o.model.String(), Forms: strings.Split(o.forms, ","), Answers: strings.Split(o.answers, ","), Pages: pages, N: o.n, Seed: uint64(o.seed),
		Out: o.out, Progress: os.Stderr,
	})
	if len(rs) > 0 {
		fmt.Fprint(os.Stdout, grounding.Report(rs), "\nresults: ", o.out, "\n")
	}
	return err
}
