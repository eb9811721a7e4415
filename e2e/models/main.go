// Models brings a small real model and a real Ollama into .cache (`make models`);
// with -serve it serves them until it is stopped.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"tabwright/e2e/realmodel"
)

func main() {
	serve := flag.String("serve", "", "then serve the model on this loopback address, as 127.0.0.1:11434")
	threads := flag.Int("threads", runtime.NumCPU(), "processors that the model may use")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *serve, *threads); err != nil {
		fmt.Fprintln(os.Stderr, "models:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, addr string, threads int) error {
	in, err := realmodel.Setup(ctx, realmodel.Coder, os.Stdout)
	if err != nil {
		return err
	}
	fmt.Printf("%s (%s) is in %s, Ollama %s in %s\n", in.Model.Name, in.Model.Licence, in.GGUF, realmodel.OllamaVersion, in.Ollama)
	if addr == "" {
		return nil
	}
	s, err := realmodel.Serve(ctx, in, addr, threads)
	if err != nil {
		return err
	}
	defer s.Close()
	fmt.Printf("%s is served on %s; Ctrl+C ends it\n", s.Model, s.Base)
	<-ctx.Done()
	return nil
}
