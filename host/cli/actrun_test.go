package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"tabwright/host/action"
	"tabwright/host/native/wire"
)

// How to go on with a list or a text that was cut is told as a command.
func TestNextStepsAreCommands(t *testing.T) {
	for name, command := range listCommands {
		if got := commandWords(name); got != "`"+command+"`" {
			t.Errorf("%s is %s", name, got)
		}
	}
	for _, name := range []string{"handleDialog", "switchTab", "uploadFile", "getElements", "extractContent"} {
		if got, want := stepCommands.Replace(name), commandWords(name); got != want {
			t.Errorf("%s is %s in a result, and %s in a hint", name, got, want)
		}
	}
	const hint = "Wait with `tabwright text --confirmation q1 @e3 selectOption`, or see getText."
	if got := commandWords(hint); got != strings.Replace(hint, "getText", "`tabwright get text`", 1) {
		t.Errorf("a hint became %s", got)
	}
	const target = "Name the element " + action.ByIndex + "; getElements gives it."
	if got := commandWords(target); got != "Name the element by its ref, as in @e12; `tabwright elements` gives it." {
		t.Errorf("a hint became %s", got)
	}
	for text, want := range map[string]string{
		"… 15 more (getElements cursor=snap_ab:7 or query=…)":  "… 15 more (tabwright elements --cursor=snap_ab:7 or query=…)",
		"[3–9] 7 more link (getElements range=3-9 lists them)": "[3–9] 7 more link (tabwright elements --range=3-9 lists them)",
		"and 5 more changes (getElements type=new lists them)": "and 5 more changes (tabwright elements --type=new lists them)",
		"… there is more: extractContent cursor=abc goes on":   "… there is more: tabwright content --cursor=abc goes on",
		`[2] link "getElements explained"`:                     `[2] link "getElements explained"`,
		"It said (answer it with handleDialog)":                "It said (answer it with handleDialog)",
	} {
		if got := withCommands(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// How to go on after an act, or a look that shows a dialog, is told as a command in
// what we say of it; what a page says stays as it is.
func TestStepsAreCommands(t *testing.T) {
	const dialog = `A confirm dialog is open on https://a.test/: "Use handleDialog?". Nothing else can be done until it is answered with handleDialog.`
	for effect, want := range map[string]string{
		`a confirm dialog opened: "Use handleDialog?" (answer it with handleDialog)`: "a confirm dialog opened: \"Use handleDialog?\" (answer it with `tabwright dialog accept` or `tabwright dialog dismiss`)",
		"and 56 more changes (extractContent reads the page)":                        "and 56 more changes (`tabwright content` reads the page)",
		"opened a new tab at https://a.test/switchTab (switchTab goes there)":        "opened a new tab at https://a.test/switchTab (`tabwright tabs switch` goes there)",
	} {
		r := stepsNamed(wire.SessionResult{Text: "OK: clicked. Effect: " + effect + ".", Effect: effect})
		if r.Effect != want || r.Text != "OK: clicked. Effect: "+want+"." {
			t.Errorf("%q became %q, %q", effect, r.Effect, r.Text)
		}
	}
	for text, want := range map[string]string{
		"OK: A page of help (switchTab goes there); getElements or a screenshot may show more": "",
		nothingRead:                      strings.Replace(nothingRead, "getElements", "`tabwright elements`", 1),
		dialog + "\n" + dialog + "\nend": strings.TrimSuffix(dialog, "handleDialog.") + dialogCommands + ".\n" + dialog + "\nend",
	} {
		if want == "" {
			want = text
		}
		if r := stepsNamed(wire.SessionResult{Action: "observe", Text: text}); r.Text != want {
			t.Errorf("%q became %q", text, r.Text)
		}
	}
}

// The answers to a dialog are told as the commands that give them.
func TestDialogHintsAreCommands(t *testing.T) {
	for hint, want := range map[string]string{
		"Answer the dialog with handleDialog first.":                                                  "Answer the dialog with `tabwright dialog accept` or `tabwright dialog dismiss` first.",
		"Answer it, or wait with `tabwright fill --confirmation q1 @e3 handleDialog`.":                "Answer it, or wait with `tabwright fill --confirmation q1 @e3 handleDialog`.",
		"Close it with handleDialog, accept true.":                                                    "Close it with `tabwright dialog accept`.",
		"Answer it with handleDialog: accept true for OK, accept false for Cancel.":                   "Answer it: `tabwright dialog accept` for OK, `tabwright dialog dismiss` for Cancel.",
		"Answer it with handleDialog: accept true with the text, or accept false to cancel.":          "Answer it: `tabwright dialog accept` with the text, or `tabwright dialog dismiss` to cancel.",
		"tell them, or leave it with closeTab and go on in a new tab with openTab; savePDF makes one": "tell them, or leave it with `tabwright tabs close` and go on in a new tab with `tabwright tabs new`; `tabwright pdf` makes one",
	} {
		if got := commandWords(hint); got != want {
			t.Errorf("%s\nis not\n%s", got, want)
		}
	}
}

// The command that waits for an answer can be pasted into a shell as it stands.
func TestCommandThatWaits(t *testing.T) {
	for _, tt := range []struct {
		session string
		form    form
		words   []string
		want    string
	}{
		{"default", form{name: "click"}, nil, "tabwright click --confirmation q1 @e3"},
		{"work", form{name: "fill"}, []string{"it's $HOME"}, `tabwright fill --session work --confirmation q1 @e3 'it'\''s $HOME'`},
		{"my work", form{name: "text", parent: "get"}, []string{"-5", ""}, "tabwright get text --session 'my work' --confirmation q1 @e3 -- -5 ''"},
	} {
		o := actOptions{session: tt.session}
		if got := o.command(tt.form, "q1", "@e3", tt.words); got != tt.want {
			t.Errorf("%s\nis not\n%s", got, tt.want)
		}
	}
}

// A picture is never thrown away: one that was given no name is written beside
// where the command runs, and the result says where.
func TestPictureWithoutAName(t *testing.T) {
	t.Chdir(t.TempDir())
	shot := wire.SessionResult{Action: "screenshot", Image: []byte("picture"), MIME: "image/webp"}
	for _, asJSON := range []bool{false, true} {
		var out bytes.Buffer
		cmd := &cobra.Command{}
		cmd.SetOut(&out)
		o := actOptions{json: asJSON}
		if err := o.show(cmd, shot, printer.image, ""); err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSpace(out.String())
		if asJSON {
			var got struct{ Path string }
			if err := json.Unmarshal(out.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if name = got.Path; !filepath.IsAbs(name) {
				t.Errorf("it is said to be in %s, wherever that is", name)
			}
		}
		if b, err := os.ReadFile(name); err != nil || string(b) != "picture" || filepath.Ext(name) != ".webp" {
			t.Errorf("%q: %q, %v", out.String(), b, err)
		}
	}
}

// Who reads JSON is told in JSON that a file could not be written.
func TestPictureThatCantBeWritten(t *testing.T) {
	shot := wire.SessionResult{Action: "screenshot", Image: []byte("picture"), MIME: "image/webp"}
	var out bytes.Buffer
	cmd := &cobra.Command{}
	cmd.SetOut(&out)
	o := actOptions{json: true}
	err := o.show(cmd, shot, printer.image, filepath.Join(t.TempDir(), "none", "a.webp"))
	var code *exitError
	if !errors.As(err, &code) || code.code != exitFailed || !code.quiet {
		t.Errorf("it ended with %v", err)
	}
	var got struct {
		Path  string
		Error struct{ Code, Message string }
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.Path != "" || !strings.Contains(got.Error.Message, "a.webp") {
		t.Errorf("%q: %v", out.String(), err)
	}
}

// TestPicturesInFullSize: the file of a picture is the one that the host wrote in full
// size, in the format that its name says; one is asked for where what a model is given
// would be shrunk.
func TestPicturesInFullSize(t *testing.T) {
	for _, c := range []struct{ params, want string }{
		{`{}`, `{}`},
		{`{"fullPage":false}`, `{"fullPage":false}`},
		{`{"fullPage":true}`, `{"fileName":"screenshot.jpeg","fullPage":true}`},
		{`{"ref":"e3"}`, `{"fileName":"screenshot.jpeg","ref":"e3"}`},
		{`{"fullPage":true,"fileName":"mine"}`, `{"fileName":"mine","fullPage":true}`},
	} {
		var params map[string]any
		if err := json.Unmarshal([]byte(c.params), &params); err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(inFullSize("screenshot", params)); err != nil || string(got) != c.want {
			t.Errorf("%s: %s %v", c.params, got, err)
		}
	}
	dir := t.TempDir()
	large := filepath.Join(dir, "large.jpeg")
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 10, 3000)), nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(large, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(map[string]any{"path": large})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.png": "png", "a.jpeg": "jpeg"} {
		p := printer{out: &b, file: filepath.Join(dir, name)}
		r := wire.SessionResult{Action: "screenshot", Image: []byte("small"), MIME: "image/jpeg", Data: raw}
		if err := errors.Join(p.writeImage(r), p.copyFile(r)); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(p.file)
		if err != nil {
			t.Fatal(err)
		}
		cfg, format, err := image.DecodeConfig(f)
		if _ = f.Close(); err != nil || format != want || cfg.Height != 3000 {
			t.Errorf("%s is a %s of %d: %v", name, format, cfg.Height, err)
		}
	}
}
