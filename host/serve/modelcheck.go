package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"

	"golang.org/x/net/http/httpproxy"

	"tabwright/host/config"
	"tabwright/host/native/wire"
	"tabwright/install"
	"tabwright/llm"
)

// modelProbe is the model server as doctor asks it.
type modelProbe struct{}

func (modelProbe) Probe(ctx context.Context) (install.ModelStatus, error) {
	st, _, err := probeModel(ctx)
	return st, err
}

// probeModel asks the model server, and gives with a fault the settings that would
// mend it. Where nothing else can be said, the error is the server's own.
func probeModel(ctx context.Context) (s install.ModelStatus, mend map[string]string, err error) {
	settings, _ := config.Load(Overrides) // what is wrong there is another check's; the rest counts
	cfg, err := settings.LLM("", config.OpenKeys(""))
	if err != nil {
		return install.ModelStatus{Provider: cfg.Provider, Hint: "store the key again: tabwright key set " + cfg.Provider, Command: "tabwright key set " + cfg.Provider}, nil, err
	}
	cfg.HTTPClient = through(httpproxy.FromEnvironment().ProxyFunc())
	s = install.ModelStatus{Provider: cfg.Provider, URL: config.BareAddress(cfg.BaseURL), Model: cfg.Model}
	found, err := llm.ListModels(ctx, cfg)
	for _, m := range found {
		s.Models = append(s.Models, m.Name)
		s.NoTools = s.NoTools || m.Name == cfg.Model && cfg.Provider == "ollama" && !m.Tools && cfg.Tools == nil
	}
	if err != nil {
		s.Hint = hintOf(err)
		if f, mend := whyNoServer(ctx, cfg, err); f != nil {
			return s, mend, f
		}
		return s, nil, err
	}
	if latest := cfg.Model + ":latest"; slices.Contains(s.Models, latest) {
		s.Model = latest // as Ollama reads a name without a tag
	}
	if s.Model != "" && !slices.Contains(s.Models, s.Model) {
		if err := Unfit(ctx, cfg); err != nil { // it is there, and can't answer
			f := &install.Fault{
				Say: "unfit", Args: []string{cfg.Model, err.Error()}, Detail: fmt.Sprintf("%s can't be used: %v", cfg.Model, err),
				Fix: "choose another model: tabwright models lists them", Command: "tabwright models",
			}
			if best, err := llm.Choose(found); err == nil {
				mend = mendable(f, map[string]string{"model": best})
			}
			return s, mend, f
		}
		s.Hint = "get it, or choose another"
		if cfg.Provider == "ollama" {
			s.Command = "tabwright models pull " + cfg.Model
		}
	}
	if cfg.Model == "" && len(found) > 0 { // as control.Models does
		if s.Model, err = llm.Choose(found); err == nil {
			s.First = true
		} else {
			s.Hint = hintOf(err)
		}
	}
	if err == nil && len(found) == 0 && cfg.Provider == "ollama" {
		s.Models, s.Command = []string{}, "tabwright models pull "+llm.SuggestedModel(llm.MachineMemory())
		s.Hint = "run: " + s.Command
	}
	return s, nil, err
}

func hintOf(err error) string {
	var le *llm.Error
	if errors.As(err, &le) {
		return le.Hint
	}
	return ""
}

// mendable says that settings would mend a fault, where no variable or flag stands
// above them.
func mendable(f *install.Fault, settings map[string]string) map[string]string {
	states, err := config.States(Overrides)
	if err != nil {
		return nil
	}
	for _, st := range states {
		if _, ok := settings[st.Name]; ok && st.Fixed() {
			return nil
		}
	}
	f.Mend, f.Command = wire.FixModel, "tabwright doctor --fix"
	return settings
}

// whyNoServer says more of a server that could not be asked than its error does.
func whyNoServer(ctx context.Context, cfg llm.Config, err error) (*install.Fault, map[string]string) {
	base := llm.BaseURL(cfg)
	where := config.BareAddress(base)
	fault := func(say, detail, fix string, args ...string) *install.Fault {
		return &install.Fault{Say: say, Args: append([]string{where}, args...), Detail: detail, Fix: fix}
	}
	answers := func(address string) bool {
		try := cfg
		try.BaseURL = address
		_, err := llm.ListModels(ctx, try)
		return err == nil
	}
	switch code := llm.CodeOf(err); code {
	case llm.CodeUnauthorized:
		f := fault("key_rejected", fmt.Sprintf("%s rejects the key: %v", cfg.Provider, err), "store a valid one")
		f.Args = []string{cfg.Provider}
		if cfg.APIKey == "" && !keyInEnvironment(cfg.Provider) {
			f.Say, f.Detail, f.Fix = "no_key", cfg.Provider+" needs a key, and none is stored", "store one"
		}
		f.Command = "tabwright key set " + cfg.Provider
		return f, nil
	case llm.CodeUnreachable, llm.CodeTimeout, llm.CodeServerError, llm.CodeInvalidConfig, llm.CodeModelNotFound, llm.CodeBadRequest, llm.CodeBadReply, llm.CodeOverloaded:
		if proxy := proxyOf(base); proxy != "" && withoutProxy(ctx, cfg) {
			host := hostOf(base)
			return fault("proxy", fmt.Sprintf("%s answers directly, but not through the proxy %s of HTTP_PROXY or HTTPS_PROXY", where, proxy),
				"add "+host+" to the variable NO_PROXY where the browser is started", proxy, host), nil
		}
		for _, other := range otherAddresses(cfg, base) {
			if answers(other) {
				f := fault("other_address", fmt.Sprintf("%s does not answer (%v), and %s does", orNowhere(where), err, other), "set base_url to "+other, other)
				return f, mendable(f, map[string]string{"base_url": other})
			}
		}
		switch {
		case code == llm.CodeInvalidConfig:
			return fault("bad_address", err.Error(), "correct base_url, or the variable that names the address"), nil
		case cfg.Provider != "ollama" || code != llm.CodeUnreachable:
		case !loopback(base):
			return fault("unreachable", err.Error(), "start Ollama there, with OLLAMA_HOST=0.0.0.0, or correct base_url"), nil
		default:
			if _, e := exec.LookPath("ollama"); e == nil {
				f := fault("not_running", "Ollama does not run at "+where, "start it")
				f.Command = "ollama serve"
				return f, nil
			}
			return fault("no_ollama", "nothing answers at "+where+", and Ollama is not installed", "install it from https://ollama.com/download, or choose another provider in the panel"), nil
		}
	}
	return nil, nil
}

func orNowhere(where string) string {
	if where == "" {
		return "the address that is set"
	}
	return where
}

func keyInEnvironment(provider string) bool {
	vars, _ := llm.ProviderKeyEnv(provider)
	return slices.ContainsFunc(vars, func(v string) bool { return os.Getenv(v) != "" })
}

// otherAddresses are where the server may be instead: with or without /v1 in the
// path, and for Ollama where OLLAMA_HOST says and where it listens by itself.
func otherAddresses(cfg llm.Config, base string) (out []string) {
	if cfg.Provider == "ollama" {
		for _, address := range []string{os.Getenv("OLLAMA_HOST"), llm.OllamaAddress} {
			if address == "" {
				continue
			}
			try := cfg
			try.BaseURL = address
			out = append(out, llm.BaseURL(try))
		}
	} else if base != "" {
		bare := strings.TrimSuffix(base, "/v1")
		out = append(out, bare+"/v1", bare)
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" || s == base })
}

// proxyOf is the proxy through which a server would be asked.
func proxyOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	p, err := httpproxy.FromEnvironment().ProxyFunc()(u)
	if err != nil || p == nil {
		return ""
	}
	return p.Redacted()
}

// through gives a client that asks servers through a proxy, or with nil through none.
// The default one would read the environment once, whatever comes of it later.
func through(proxy func(*url.URL) (*url.URL, error)) *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy, t.DisableKeepAlives = nil, true
	if proxy != nil {
		t.Proxy = func(r *http.Request) (*url.URL, error) { return proxy(r.URL) }
	}
	return &http.Client{Transport: t}
}

func withoutProxy(ctx context.Context, cfg llm.Config) bool {
	cfg.HTTPClient = through(nil)
	_, err := llm.ListModels(ctx, cfg)
	return err == nil
}

func hostOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	return u.Hostname()
}

func loopback(base string) bool {
	h := hostOf(base)
	return h == "localhost" || h == "::1" || strings.HasPrefix(h, "127.")
}

// mendModel saves the settings that would mend what is wrong with the model.
func mendModel(ctx context.Context) error {
	_, mend, err := probeModel(ctx)
	if len(mend) == 0 {
		if err == nil {
			return nil
		}
		return fmt.Errorf("no setting mends it: %w", err)
	}
	return config.Save(SettingsFile(), mend)
}
