package e2e

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tabwright/extension"
	"tabwright/host/native"
	"tabwright/host/native/wire"
)

// port is the binary as Chrome starts it, with the test in Chrome's place.
type port struct {
	c   *cli
	cmd *exec.Cmd
	in  io.WriteCloser
	out io.ReadCloser
	err *lines
}

func newPort(t *testing.T) *port {
	t.Helper()
	c := newCLI(t)
	t.Cleanup(func() { nothingRuns(t, c.mark) })
	t.Cleanup(func() {
		if code, out := c.run("", "uninstall"); code != 0 { // ends the broker
			t.Errorf("uninstall: %d %s", code, out)
		}
	})
	p := &port{c: c, cmd: c.command("chrome-extension://" + extension.ID + "/"), err: &lines{}}
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	p.cmd.Stderr = p.err
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// frame sends bytes with their length before them.
func (p *port) frame(b string) {
	p.c.t.Helper()
	raw := append(binary.NativeEndian.AppendUint32(nil, uint32(len(b))), b...) //nolint:gosec // short
	if _, err := p.in.Write(raw); err != nil {
		p.c.t.Fatal(err)
	}
}

// answer reads frames until the one that answers a request; anything else on
// stdout would not parse.
func (p *port) answer(id uint64) wire.Message {
	p.c.t.Helper()
	for {
		m := p.read()
		if m.Kind == wire.KindRes && m.ID == id {
			return m
		}
	}
}

func (p *port) read() wire.Message {
	p.c.t.Helper()
	var size [4]byte
	if _, err := io.ReadFull(p.out, size[:]); err != nil {
		p.c.t.Fatalf("no frame came: %v\n%s", err, p.logs())
	}
	n := binary.NativeEndian.Uint32(size[:])
	if n > native.MaxToChrome {
		p.c.t.Fatalf("a frame of %d bytes: stdout has something else than frames: %q", n, size)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(p.out, body); err != nil {
		p.c.t.Fatal(err)
	}
	var m wire.Message
	if err := json.Unmarshal(body, &m); err != nil {
		p.c.t.Fatalf("not a message: %v: %q", err, body)
	}
	return m
}

func (p *port) hello() {
	p.c.t.Helper()
	raw, err := json.Marshal(wire.HelloParams{
		Role: "relay", ProtocolMin: wire.ProtocolMin, ProtocolMax: wire.ProtocolMax, Version: extension.Version(),
		ExtensionID: extension.ID, Profile: "p1",
	})
	if err != nil {
		p.c.t.Fatal(err)
	}
	p.frame(`{"kind":"req","id":1,"method":"hello","params":` + string(raw) + `}`)
	if m := p.answer(1); m.Error != nil {
		p.c.t.Fatalf("hello: %v", m.Error)
	}
}

// end waits for an orderly end: soon, with this exit code, and nothing but
// frames on stdout until then.
func (p *port) end(want int) {
	p.c.t.Helper()
	rest := make(chan []byte, 1)
	go func() {
		b, _ := io.ReadAll(p.out) // an end is what is waited for
		rest <- b
	}()
	var b []byte
	select {
	case b = <-rest:
	case <-time.After(10 * time.Second):
		p.c.t.Fatalf("it does not end\n%s", p.logs())
	}
	if code := exitCode(p.c.t, p.cmd.Wait()); code != want {
		p.c.t.Errorf("exit code %d, want %d\n%s", code, want, p.logs())
	}
	for len(b) > 0 {
		if len(b) < 4 || uint64(len(b)) < 4+uint64(binary.NativeEndian.Uint32(b)) {
			p.c.t.Fatalf("no frame: %q", b)
		}
		n := 4 + binary.NativeEndian.Uint32(b)
		if !json.Valid(b[4:n]) {
			p.c.t.Errorf("no message: %q", b[4:n])
		}
		b = b[n:]
	}
	if s := p.err.String(); strings.Contains(s, "panic") || strings.Contains(s, "goroutine ") {
		p.c.t.Errorf("it crashed: %s", s)
	}
}

func (p *port) logs() string {
	var b strings.Builder
	files, _ := filepath.Glob(filepath.Join(p.c.dir, "state", "tabwright", "*")) // the pattern is constant
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err == nil {
			b.WriteString("== " + filepath.Base(f) + "\n" + string(raw) + "\n")
		}
	}
	return b.String() + p.err.String()
}

func (p *port) logged(words string) {
	p.c.t.Helper()
	if s := p.logs(); !strings.Contains(s, words) {
		p.c.t.Errorf("the log does not say %q:\n%s", words, s)
	}
}

func TestHostModeTakesNonsense(t *testing.T) {
	p := newPort(t)
	p.frame(`{"kind":"req","id":`) // no JSON: logged, and the port lives on
	p.frame(`[]`)
	p.frame("")
	p.hello()
	p.frame(`{"kind":"req","id":2,"method":"no.such.method"}`)
	if m := p.answer(2); m.Error == nil || m.Error.Code != wire.CodeUnknownMethod {
		t.Errorf("unknown method: %+v", m.Error)
	}
	p.frame(`{"kind":"req","id":3,"method":"task.start","params":{"text":7}}`)
	if m := p.answer(3); m.Error == nil || m.Error.Code != wire.CodeInvalidParams {
		t.Errorf("wrong params: %+v", m.Error)
	}
	p.frame(`{"kind":"req","id":4,"method":"ping"}`)
	if m := p.answer(4); m.Error != nil {
		t.Errorf("it does not answer any more: %v", m.Error)
	}
	if err := p.in.Close(); err != nil {
		t.Fatal(err)
	}
	p.end(0)
	p.logged(string(wire.CodeMalformed))
}

func TestHostModeEndsOnALengthOf4GB(t *testing.T) {
	p := newPort(t)
	p.hello()
	if _, err := p.in.Write([]byte{0xff, 0xff, 0xff, 0xff, '{'}); err != nil {
		t.Fatal(err)
	}
	p.end(1)
	p.logged(string(wire.CodeTooLarge))
}

func TestHostModeCutOffInTheMiddleOfAFrame(t *testing.T) {
	p := newPort(t)
	p.hello()
	if _, err := p.in.Write([]byte{200, 0, 0, 0, '{', '"'}); err != nil {
		t.Fatal(err)
	}
	if err := p.in.Close(); err != nil {
		t.Fatal(err)
	}
	p.end(1)
	p.logged("unexpected EOF")
}

// Another extension is told no, in a frame.
func TestHostModeRefusesAnotherExtension(t *testing.T) {
	c := newCLI(t)
	cmd := c.command("chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/")
	body := `{"kind":"req","id":1,"method":"hello"}`
	cmd.Stdin = strings.NewReader(string(binary.NativeEndian.AppendUint32(nil, uint32(len(body)))) + body) //nolint:gosec // short
	out, err := cmd.Output()
	if exitCode(t, err) != 1 {
		t.Errorf("exit: %v", err)
	}
	if len(out) < 4 || !strings.Contains(string(out[4:]), "not Tabwright's extension") {
		t.Errorf("answer %q", out)
	}
	nothingRuns(t, c.mark)
}
