package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tabwright/host/control/httpapi"
	"tabwright/host/native"
	"tabwright/host/serve"
)

// httpTokenEnv names the variable that holds the token of the HTTP door.
const httpTokenEnv = "TABWRIGHT_HTTP_TOKEN"

// httpCommand is the HTTP door.
func httpCommand() *cobra.Command {
	var listen, socket string
	cmd := &cobra.Command{
		Use:   "http",
		Short: "Serve sessions and tasks over HTTP, on a Unix socket",
		Long: "Serves the broker's sessions and tasks as JSON and server-sent events (docs/http.md). The gate is the same as\n" +
			"everywhere. Without --listen it serves a Unix socket that only you may open. With --listen it serves TCP, on this\n" +
			"computer only; a client then needs the token, which is in a file that only you may read, or is the one in\n" +
			httpTokenEnv + ".",
		Example: `  tabwright http
  curl --unix-socket "$XDG_RUNTIME_DIR/tabwright/http.sock" http://tabwright/api/v1/status
  tabwright http --listen 127.0.0.1:8787`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if listen != "" && socket != "" {
				return &exitError{code: exitUsage, err: errors.New("give --listen or --socket")}
			}
			return failedWith(serveHTTP(cmd, listen, socket))
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "", "serve TCP at this local address, such as 127.0.0.1:8787; port 0 takes any free port")
	cmd.Flags().StringVar(&socket, "socket", "", "path of the Unix socket; without it, http.sock beside the broker's")
	return cmd
}

func serveHTTP(cmd *cobra.Command, listen, socket string) error {
	env, err := serve.Load()
	if err != nil {
		return err
	}
	warnPolicy(os.Stderr)
	log, closeLog := env.Logger("http")
	defer closeLog()
	broker, err := native.SocketPath()
	if err != nil {
		return err
	}
	o := httpapi.Options{
		Version: serve.Version, Log: log, Open: env.WithLaunch,
		Dial: func(ctx context.Context) (httpapi.Broker, error) { return serve.Dial(ctx, true) },
	}
	var l net.Listener
	var where, file string
	if listen == "" {
		open := native.ListenChosen
		if socket == "" {
			socket, open = filepath.Join(filepath.Dir(broker), "http.sock"), native.Listen
		}
		local, err := open(socket)
		if err != nil {
			return err
		}
		l, where = local, local.Path()
		if !strings.HasPrefix(where, `\\.\pipe\`) {
			where = "unix:" + where
		}
	} else {
		var token string
		if token, file, err = httpToken(filepath.Dir(broker), "http"); err != nil {
			return err
		}
		if file != "" {
			defer os.Remove(file)
		}
		if l, err = loopbackListener(cmd.Context(), listen); err != nil {
			return err
		}
		o.Token = token
		where = "http://" + l.Addr().String()
	}
	s := httpapi.New(o)
	if err := sayListening(cmd, where, file); err != nil {
		return errors.Join(err, l.Close())
	}
	return errors.Join(s.Serve(cmd.Context(), l), s.Close())
}

// loopbackListener listens on TCP of this computer alone.
func loopbackListener(ctx context.Context, address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, &exitError{code: exitUsage, err: fmt.Errorf("--listen takes an address and a port, such as 127.0.0.1:8931, not %q", address)}
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, &exitError{code: exitUsage, err: fmt.Errorf("--listen: %q is not a loopback address; use 127.0.0.1 or [::1]", host)}
	}
	var c net.ListenConfig
	return c.Listen(ctx, "tcp", address)
}

// httpToken is the token of the environment, or a new one and the file it is in, which
// is named after its door.
func httpToken(dir, door string) (token, file string, err error) {
	if t := strings.TrimSpace(os.Getenv(httpTokenEnv)); t != "" {
		return t, "", nil
	}
	token = rand.Text() + rand.Text()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", "", err
	}
	f, err := os.CreateTemp(dir, door+"-*.token") // 0600
	if err != nil {
		return "", "", fmt.Errorf("keep the token: %w", err)
	}
	_, err = f.WriteString(token + "\n")
	return token, f.Name(), errors.Join(err, f.Close())
}

// sayListening tells where clients are served, and in which file their token is.
func sayListening(cmd *cobra.Command, address, tokenFile string) error {
	view := map[string]string{"address": address}
	if tokenFile != "" {
		view["tokenFile"] = tokenFile
	}
	return printed(cmd, view, func(w io.Writer) error {
		if tokenFile != "" {
			address += ", token in " + tokenFile
		}
		_, err := fmt.Fprintln(w, "Listening on", address)
		return err
	})
}
