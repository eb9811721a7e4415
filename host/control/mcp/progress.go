package mcp

import (
	"context"
	"fmt"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressTime is how often a client that asked for it gets a progress message: many
// clients give up a call that is silent for half a minute.
const progressTime = 2 * time.Second

// reportProgress sends progress messages to a client that sent a progress token, until
// stop is called.
func reportProgress(ctx context.Context, req *sdk.CallToolRequest) (stop func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		began := time.Now()
		tick := time.NewTicker(progressTime)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-over:
				return
			case <-ctx.Done():
				return
			}
			took := time.Since(began).Seconds()
			p := &sdk.ProgressNotificationParams{ProgressToken: token, Progress: took, Message: fmt.Sprintf("%s has run for %.0f s", req.Params.Name, took)}
			if req.Session.NotifyProgress(ctx, p) != nil {
				return // the client has disconnected or given up the call
			}
		}
	}()
	return func() { close(over); <-done }
}
