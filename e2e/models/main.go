// Command models downloads small models and model servers into .cache, and can serve the
// models. `make models` runs it. With -serve it serves the models by Ollama, with -openai one
// of them by llama-cpp-python, until it is stopped.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"tabwright/e2e/realmodel"
)

type options struct {
	serve, openai, model string
	threads              int
}

func main() {
	var o options
	flag.StringVar(&o.serve, "serve", "", "then serve the models by Ollama on this loopback address, as 127.0.0.1:11434")
	flag.StringVar(&o.openai, "openai", "", "then serve one model in OpenAI's format on this loopback address, as 127.0.0.1:8000")
	flag.StringVar(&o.model, "model", "", "only this model; default: all, of which -openai takes the largest")
	flag.IntVar(&o.threads, "threads", runtime.NumCPU(), "processors that a model may use")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "models:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	// What can't be had is told, and the rest is installed all the same.
	installed, failed := setup(ctx, o.model, o.openai != "")
	if len(installed) == 0 {
		return failed
	}
	if failed != nil {
		fmt.Fprintln(os.Stderr, "models: NOT INSTALLED:", failed)
	}
	var servers []*realmodel.Server
	defer func() {
		for _, s := range servers {
			s.Close()
		}
	}()
	last := installed[len(installed)-1]
	if o.serve != "" {
		s, err := realmodel.Serve(ctx, last, o.serve, o.threads)
		if err != nil {
			return err
		}
		servers = append(servers, s)
		for _, in := range installed {
			if err := s.Create(ctx, in, o.threads); err != nil {
				return err
			}
			fmt.Printf("Ollama serves %s on %s\n", in.Model.Name, s.Base)
		}
	}
	if o.openai != "" {
		s, err := realmodel.ServeOpenAI(ctx, last, o.openai, o.threads)
		if err != nil {
			return err
		}
		servers = append(servers, s)
		fmt.Printf("llama-cpp-python serves %s on %s/v1\n", s.Model, s.Base)
	}
	if len(servers) == 0 {
		return failed
	}
	fmt.Println("Ctrl+C ends it")
	<-ctx.Done()
	return nil
}

// setup installs the models and all servers; or the one that is named, and of the servers
// Ollama, with openai also llama-cpp-python.
func setup(ctx context.Context, only string, openai bool) (installed []realmodel.Installed, failed error) {
	for _, m := range realmodel.Models {
		if only != "" && m.Name != only {
			continue
		}
		in, err := realmodel.Setup(ctx, m, os.Stdout)
		if only == "" || openai {
			err = errors.Join(err, in.AddOpenAI(ctx, os.Stdout))
		}
		if failed = errors.Join(failed, err); in.GGUF != "" {
			fmt.Printf("%s (%s) is in %s\n", m.Name, m.Licence, in.GGUF)
			installed = append(installed, in)
		}
	}
	if len(installed) == 0 && failed == nil {
		return nil, fmt.Errorf("there is no model %q", only)
	}
	if only != "" {
		return installed, failed
	}
	_, err := realmodel.BuildOllama(ctx, realmodel.OldOllamaVersion, os.Stdout)
	return installed, errors.Join(failed, err)
}
