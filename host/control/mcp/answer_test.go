package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/host/control"
	"tabwright/host/native/wire"
)

// talk gives a client's way to a server whose tool n gives the nth result: one line
// to it, one line of it. With whole, results are written once, by the answers.
func talk(t testing.TB, results []*sdk.CallToolResult, whole bool) (say func(line string) string, a *answers) {
	t.Helper()
	srv := sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	for i, r := range results {
		srv.AddTool(&sdk.Tool{Name: fmt.Sprintf("t%d", i), InputSchema: map[string]any{"type": "object"}}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			again := *r
			return &again, nil
		})
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	transport := &sdk.IOTransport{Reader: in, Writer: out}
	if whole {
		a = newAnswers(out)
		srv.AddReceivingMiddleware(a.middleware)
		transport.Writer = a
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Run(t.Context(), transport)
	}()
	t.Cleanup(func() {
		_ = toServer.Close()
		_ = fromServer.Close()
		<-done
	})
	lines := bufio.NewReader(fromServer)
	say = func(line string) string {
		if _, err := io.WriteString(toServer, line+"\n"); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(line, `"notifications/`) {
			return ""
		}
		got, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	return say, a
}

func hello(say func(string) string, version string) {
	say(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func call(i int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t%d","arguments":{}}}`, i, i)
}

func oddResults() []*sdk.CallToolResult {
	odd := "a <b> & \"c\" \\ \u2028\u2029 \x01\t\n 中文 é 🛒 \xff end"
	data := func(s string) wire.SessionResult {
		return wire.SessionResult{Action: "snapshot", Text: odd, Line: odd, Data: json.RawMessage(s)}
	}
	failed := data(`null`)
	failed.Error = &wire.Error{Code: "no_such", Message: odd, Hint: odd, Data: json.RawMessage(`{"a": "<b>"}`)}
	picture := data(`{"x":1}`)
	picture.Image, picture.MIME = []byte(strings.Repeat("\x00picture", 50)), "image/png"
	withNotes := data(`["a", "b"]`)
	withNotes.Notes = []string{odd, `"tabwright-`}
	var out []*sdk.CallToolResult
	for _, r := range []wire.SessionResult{
		data(``), data(`null`), data(`{"tree":"- a\n- b","refs":{"e1":{"index":1}}}`), data(`{ "tree" : "<&>" , "line":"of the data"}`),
		data("{\"a\":\"\u2028\",\"<\":[1, 2]}"), data(`{"a":1,"a":2}`), data(`"text \"content\":[],\"structuredContent\":0"`), data(`12.50`), failed, picture, withNotes,
	} {
		out = append(out, result(r))
	}
	return append(out, &sdk.CallToolResult{}, &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: odd}}, Meta: sdk.Meta{"k": odd}},
		&sdk.CallToolResult{StructuredContent: map[string]any{"n": nil, "raw": json.RawMessage(nil), "list": []int{1}}, Meta: sdk.Meta{"k": `"content":[],"structuredContent":0`}})
}

// TestAnswersAgree: what is written once is to the byte what the SDK writes.
func TestAnswersAgree(t *testing.T) {
	results := oddResults()
	plain, _ := talk(t, results, false)
	whole, a := talk(t, results, true)
	for _, say := range []func(string) string{plain, whole} {
		hello(say, "2025-03-26")
	}
	for i := range results {
		if want, got := plain(call(i)), whole(call(i)); got != want {
			t.Errorf("result %d:\n%s\nwant\n%s", i, got, want)
		}
	}
	batch := "[" + call(2) + "," + call(3) + "," + call(99) + "]"
	if want, got := plain(batch), whole(batch); got != want || !strings.HasPrefix(got, "[") {
		t.Errorf("a batch:\n%s\nwant\n%s", got, want)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if want := len(results) + 2; a.next != want || len(a.kept) != 0 {
		t.Errorf("%d results had a mark, want %d, and %d are kept yet", a.next, want, len(a.kept))
	}
}

// TestAnswerFrame: the frame of a usual result is found in what the SDK writes; where
// it were not, all would be written twice and nobody told.
func TestAnswerFrame(t *testing.T) {
	for _, r := range oddResults() {
		if _, ok := r.StructuredContent.(map[string]any); !ok || len(r.Meta) > 0 {
			continue
		}
		raw, err := frameOf(r)
		if err != nil || bytes.Count(raw, []byte(frameOnly)) != 1 {
			t.Errorf("the frame is %s, %v; want %s in it", raw, err, frameOnly)
		}
	}
}

// TestAnswerTwice: an answer that is marshalled twice has one mark, and nothing is
// kept of it when it is written.
func TestAnswerTwice(t *testing.T) {
	from, to := io.Pipe()
	defer func() { _ = from.Close() }()
	a := newAnswers(to)
	res, err := a.middleware(func(context.Context, string, sdk.Request) (sdk.Result, error) { return oddResults()[2], nil })(t.Context(), "tools/call", nil)
	if err != nil {
		t.Fatal(err)
	}
	first, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	second, err := json.Marshal(res)
	if err != nil || !bytes.Equal(first, second) || len(a.kept) != 1 {
		t.Fatalf("%s, then %s, %v; %d kept", first, second, err, len(a.kept))
	}
	go func() {
		_, _ = a.Write(second)
		_ = to.Close()
	}()
	got, err := io.ReadAll(from)
	want, _ := oddResults()[2].MarshalJSON()
	if err != nil || !bytes.Equal(got, want) || len(a.kept) != 0 {
		t.Errorf("%s, %v, want %s; %d kept", got, err, want, len(a.kept))
	}
}

// TestSettled: what is written as it stands is what encoding/json would leave so.
func TestSettled(t *testing.T) {
	for _, raw := range []string{
		`{"a":[1,"b c",null]}`, `{"a": 1}`, `"<"`, `"\u003c"`, `"a\"b c"`, `"\\"`, `["\\", 1]`, "\"\u2028\"", "\"\u2027\"", " 1", "1\n", `"é&"`, "\"\xff\"", `{}`,
	} {
		out, err := json.Marshal(json.RawMessage(raw))
		if err != nil {
			t.Fatal(err)
		}
		if got := isCanonical(json.RawMessage(raw)); got && string(out) != raw {
			t.Errorf("%s would be left, and json makes %s of it", raw, out)
		} else if !got && string(out) == raw {
			t.Errorf("%s would be written anew for nothing", raw)
		}
	}
}

// BenchmarkAnswer is what the answer to a snapshot of a page with a thousand
// controls takes from the session's result to the client.
func BenchmarkAnswer(b *testing.B) {
	refs, tree := map[string]any{}, ""
	for i := range 1000 {
		tree += fmt.Sprintf("    button \"Add item %d\" [%d]\n    text: costs %d\n", i, i, 3*i)
		refs[fmt.Sprintf("e%d", i)] = map[string]any{"index": i, "role": "button", "name": fmt.Sprintf("Add item %d", i)}
	}
	data, err := json.Marshal(map[string]any{"tree": tree, "refs": refs, "pageRev": 1})
	if err != nil {
		b.Fatal(err)
	}
	r := wire.SessionResult{Action: "snapshot", Text: tree[:20000], Line: "took a snapshot", Data: data}
	for name, whole := range map[string]bool{"once": true, "by the SDK": false} {
		b.Run(name, func(b *testing.B) {
			say, _ := talk(b, []*sdk.CallToolResult{result(r)}, whole)
			hello(say, "2025-06-18")
			b.ReportAllocs()
			for b.Loop() {
				_ = control.StructuredResult(r)
				if got := say(call(0)); len(got) < len(data) {
					b.Fatal(got)
				}
			}
		})
	}
}
