package llm

import (
	"cmp"
	"net/http"
)

const mostRedirects = 3

// clientOf returns the client of a configuration, which follows redirects within one
// server only: net/http would send the task and every key header but Authorization on to
// another one (https://pkg.go.dev/net/http#Client).
func clientOf(cfg Config) *http.Client {
	c := *cmp.Or(cfg.HTTPClient, http.DefaultClient)
	c.CheckRedirect = stayOnServer
	return &c
}

// stayOnServer refuses a redirect to another host or port, or from https to http.
func stayOnServer(req *http.Request, via []*http.Request) error {
	from, to := via[0].URL, req.URL
	switch {
	case from.Host != to.Host || from.Scheme != to.Scheme:
		return &Error{
			Code: CodeInvalidConfig, Message: from.Scheme + "://" + from.Host + " sends on to " + to.Scheme + "://" + to.Host + ", and neither the key nor the task was sent there",
			Hint: "if that is the right server, set the base URL to its address",
		}
	case len(via) >= mostRedirects:
		return &Error{Code: CodeInvalidConfig, Message: from.Host + " redirects in a circle", Hint: "check the base URL"}
	}
	return nil
}
