package mcp

import (
	"context"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rs/zerolog"
)

// Path is the path of the MCP endpoint over HTTP.
const Path = "/mcp"

// sessionVersions are the protocol versions that have sessions over HTTP. Later ones
// have none, so that each call would begin with an empty browser.
var sessionVersions = []string{"2025-11-25", "2025-06-18", "2025-03-26"}

const (
	headTime = 10 * time.Second
	shutTime = 3 * time.Second
	// idleTime is how long a client's session stays without a call.
	idleTime = time.Hour
)

// ServeHTTP serves clients over Streamable HTTP from l until ctx ends, each with its
// own session. guard returns a handler that checks each request first.
func ServeHTTP(ctx context.Context, o Options, l net.Listener, guard func(http.Handler) (http.Handler, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d, srv := newDoor(ctx, o, sessionVersions)
	defer d.end()
	h := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return srv }, &sdk.StreamableHTTPOptions{
		Logger: slog.New(zerolog.NewSlogHandler(o.Log)), SessionTimeout: idleTime,
	})
	mux := http.NewServeMux()
	mux.Handle(Path, h)
	guarded, err := guard(mux)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	s := &http.Server{
		Handler: guarded, ReadHeaderTimeout: headTime, IdleTimeout: idleTime, ErrorLog: log.New(o.Log, "", 0),
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stop := context.AfterFunc(ctx, func() {
		end, cancel := context.WithTimeout(context.Background(), shutTime)
		defer cancel()
		d.end() // streams end with it
		if s.Shutdown(end) != nil {
			_ = s.Close()
		}
	})
	defer stop()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) || ctx.Err() == nil {
		return err
	}
	return nil
}
