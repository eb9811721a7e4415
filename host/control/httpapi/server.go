package httpapi

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"tabwright/host/control"
	"tabwright/host/control/client"
	"tabwright/host/native/wire"
)

// Broker is a connection to the broker, such as *client.Client.
type Broker interface {
	Call(ctx context.Context, method string, params, result any) error
	Stream(ctx context.Context, p wire.SubscribeParams, v client.Viewer) error
	Done() <-chan struct{}
	Close() error
}

// Limits of a server.
const (
	maxBody    = 1 << 20 // bytes of a request's JSON
	maxHeader  = 16 << 10
	maxCalls   = 64 // at once, including those that wait for the user's answer
	maxStreams = 32 // event streams at once
	headTime   = 10 * time.Second
	readTime   = 30 * time.Second // to read a request's body, or to write an answer
	idleTime   = 2 * time.Minute
	shutTime   = 3 * time.Second
	callTime   = 15 * time.Minute // an action, and the time a user takes to answer
	dialTime   = 20 * time.Second // to connect to the broker, or to start it
)

// Options are the options of a Server.
type Options struct {
	// Dial connects to the broker and starts it if there is none.
	Dial func(ctx context.Context) (Broker, error)
	// Open completes the parameters of a new session. The settings say how a browser is
	// launched, not the client.
	Open func(p wire.SessionOpenParams) (wire.SessionOpenParams, error)
	// Token is the token that TCP clients must send. If empty, TCP is refused.
	Token   string
	Version string
	Log     zerolog.Logger
}

// Server serves the HTTP API on the listeners given to Serve, after its own checks.
type Server struct {
	o       Options
	mux     *http.ServeMux
	calls   chan struct{}
	streams chan struct{}
	ctx     context.Context // ends with the server; parent of all requests
	cancel  context.CancelFunc

	mu     sync.Mutex
	broker Broker // connected at the first call, and again after it was lost
}

// New returns a server. Close must be called to close its connection.
func New(o Options) *Server {
	s := &Server{o: o, mux: http.NewServeMux(), calls: make(chan struct{}, maxCalls), streams: make(chan struct{}, maxStreams)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.routes()
	return s
}

// Serve accepts connections from l until ctx ends, then ends the running calls. The
// listener must be a Unix socket, or on loopback with a token set.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	g, err := guardOf(l, s.o.Token, s.mux, s.calls)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	srv := &http.Server{
		Handler: g, ReadHeaderTimeout: headTime, WriteTimeout: callTime + time.Minute, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ErrorLog: log.New(s.o.Log, "", 0), BaseContext: func(net.Listener) context.Context { return s.ctx },
	}
	stop := context.AfterFunc(ctx, func() {
		s.cancel() // streams and questions end at once
		end, cancel := context.WithTimeout(context.Background(), shutTime)
		defer cancel()
		if srv.Shutdown(end) != nil {
			_ = srv.Close()
		}
	})
	defer stop()
	err = srv.Serve(l)
	if errors.Is(err, http.ErrServerClosed) && ctx.Err() != nil {
		return nil
	}
	return err
}

// Close closes the connection to the broker, which ends the sessions without a name.
func (s *Server) Close() error {
	s.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broker == nil {
		return nil
	}
	err := s.broker.Close()
	s.broker = nil
	return err
}

// client returns the connection for calls, and connects if there is none.
func (s *Server) client(ctx context.Context) (Broker, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return nil, errClosing
	}
	if s.broker != nil {
		select {
		case <-s.broker.Done():
			_ = s.broker.Close()
			s.broker = nil
		default:
			return s.broker, nil
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dialTime)
	defer cancel()
	b, err := s.o.Dial(ctx)
	if err != nil {
		return nil, &wire.Error{Code: CodeNoBroker, Message: "Tabwright's broker can't be reached: " + err.Error(), Hint: "`tabwright doctor` says why."}
	}
	s.broker = b
	return b, nil
}

// call calls a method of the broker.
func (s *Server) call(ctx context.Context, method string, params, result any) error {
	b, err := s.client(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	err = b.Call(ctx, method, params, result)
	if errors.Is(err, &wire.Error{Code: wire.CodeClosed}) && ctx.Err() == nil {
		return control.ErrBrokerGone
	}
	return err
}
