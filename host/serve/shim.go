package serve

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/rs/zerolog"

	"tabwright/extension"
	"tabwright/host/config"
	"tabwright/host/native"
)

// RunShim is host mode: Chrome started us, stdin and stdout are its port.
func RunShim(origin string) int {
	log := zerolog.New(os.Stderr) // Chrome's own log, until there is a file
	if f, err := config.Logger("info", "shim"); err != nil {
		log.Error().Err(err).Msg("no log file")
	} else {
		defer f.Close()
		log = f.Logger
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	err := native.RunShim(ctx, native.ShimOptions{
		Origin: origin, Allowed: extension.IDs(), Stdin: os.Stdin, Stdout: os.Stdout,
		Dial: native.Dial, StartBroker: startBroker, Log: log,
	})
	if err != nil {
		log.Error().Err(err).Msg("shim ended")
		return 1
	}
	return 0
}
