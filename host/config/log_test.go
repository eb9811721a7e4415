package config

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

func TestLogIsPrivateAndHidesKeys(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	l, err := Logger("debug", "broker")
	if err != nil {
		t.Fatal(err)
	}
	seen.add(`my "odd" key`)
	l.Info().Str("key", `my "odd" key`).Err(errors.New(`server said: my "odd" key is wrong`)).Msg("one")
	l.Info().Interface("s", Secret("whisper")).Msg("two")
	l.Trace().Msg("not at this level")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if l.Path != filepath.Join(Dirs().State, "broker.log") {
		t.Error(l.Path)
	}
	st, err := os.Stat(l.Path)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st, err)
	}
	b, err := os.ReadFile(l.Path)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(b); strings.Contains(s, "odd") || strings.Contains(s, "whisper") || !strings.Contains(s, "server said: …") || strings.Contains(s, "not at") {
		t.Error(s)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
	if _, err := Logger("loud", "x"); err == nil {
		t.Error("no error for a level that does not exist")
	}
}

// Whoever reads a key need not know of the log for the log to hide it.
func TestLogHidesKeysThatWereRead(t *testing.T) {
	dir := t.TempDir()
	k := &keyStore{ring: fakeRing{m: map[string]string{"openai": "of-the-ring"}}, file: filepath.Join(dir, "k"), patience: time.Minute}
	if _, err := k.Get("openai"); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Set("glm", "freshly-kept"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TABWRIGHT_API_KEY", "of-the-environment")
	if _, err := (Config{Model: Model{Provider: "qwen"}}).LLM("", k); err != nil {
		t.Fatal(err)
	}
	l, err := LoggerAt("info", filepath.Join(dir, "x.log"))
	if err != nil {
		t.Fatal(err)
	}
	l.Info().Msg("of-the-ring, freshly-kept, of-the-environment")
	b, err := os.ReadFile(l.Path)
	if err != nil || !strings.Contains(string(b), `"…, …, …"`) {
		t.Errorf("%s, %v", b, err)
	}
}

func TestWhatLooksLikeAKey(t *testing.T) {
	cases := []struct{ name, text, hush string }{
		{"OpenAI", "key sk-proj-abcdefghijklmnop1234 used", "abcdefghijkl"},
		{"after a line break", "one\nsk-abcdefghijklmnop1234", "abcdefghijkl"},
		{"Google", "AIzaSyA1234567890abcdefghijklmnopqrstuv", "SyA12345"},
		{"header", "Authorization: Bearer abc.def-123", "abc.def"},
		{"bare bearer", "sent Bearer abcdefghijklmnop1234==", "abcdefgh"},
		{"x-api-key", "x-api-key: 12345", "12345"},
		{"variable", "OPENAI_API_KEY=hushhush", "hushhush"},
		{"address", "GET https://x/v1?a=b&key=hushhush&c=d", "hushhush"},
		{"JSON in text", `body {"api_key":"hushhush","model":"m"}`, "hushhush"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			l := zerolog.New(&redactor{to: &out})
			l.Info().Str("s", c.text).Msg("m")
			if strings.Contains(out.String(), c.hush) {
				t.Error(out.String())
			}
			if !json.Valid([]byte(out.String())) {
				t.Errorf("not JSON: %s", out.String())
			}
		})
	}
	for _, plain := range []string{`"inputTokens":1234`, "task-started", "risk-assessment-of-the-page", "the basic instructions", "key: Enter", "a?page=2&keyword=mug"} {
		var out strings.Builder
		if _, err := (&redactor{to: &out}).Write([]byte(plain)); err != nil || out.String() != plain {
			t.Errorf("%q became %q, %v", plain, out.String(), err)
		}
	}
}

func FuzzRedactor(f *testing.F) {
	for _, s := range []string{`api_key: "x`, `\nsk-aaaaaaaaaaaaaaaa`, `{"authorization":"Bearer x"}`, `?key=\"`, "token", "Api_keY:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var out strings.Builder
		l := zerolog.New(&redactor{to: &out})
		l.Info().Str(s, s).Int("apiKey", 3).Msg(s)
		if !json.Valid([]byte(out.String())) {
			t.Errorf("not JSON: %s", out.String())
		}
	})
}

func TestLogRotates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "x.log")
	line := strings.Repeat("x", 99) + "\n"
	// Two writers, as two processes would have: none may lose lines or let
	// the file grow, though each rotates under the other.
	a, err := openRotating(path, 1000)
	if err != nil {
		t.Fatal(err)
	}
	b, err := openRotating(path, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 15 {
		w := a
		if i%2 == 1 {
			w = b
		}
		if _, err := w.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if n := lines(t, path) + lines(t, path+".1"); n != 15 {
		t.Errorf("%d lines of 15", n)
	}
	for range 100 {
		if _, err := a.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []string{path, path + ".1"} {
		st, err := os.Stat(p)
		if err != nil || st.Size() > 1000 || (st.Mode().Perm() != 0o600 && runtime.GOOS != "windows") {
			t.Errorf("%s: %v, %v", p, st, err)
		}
	}
	if err := errors.Join(a.Close(), b.Close(), a.Close()); err != nil {
		t.Error(err)
	}
	if _, err := a.Write([]byte(line)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a write after close: %v", err)
	}
}

func TestLogFromManyGoroutines(t *testing.T) {
	l, err := LoggerAt("info", filepath.Join(t.TempDir(), "x.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				l.Info().Msg("hello")
				seen.add("something")
			}
		})
	}
	wg.Wait()
	if n := lines(t, l.Path); n != 400 {
		t.Errorf("%d lines", n)
	}
}

func lines(t *testing.T, path string) int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		n++
	}
	return n
}
