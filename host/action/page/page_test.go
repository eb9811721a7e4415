package page

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"tabwright/pagecontext"
)

// frame keeps what it was asked for, and what the answer is read into.
type frame struct {
	fn, arg string
	result  reflect.Type
}

func (f *frame) Call(_ context.Context, fn string, arg, result any) error {
	b, err := json.Marshal(arg)
	f.fn, f.arg = fn, string(b)
	if result != nil {
		f.result = reflect.TypeOf(result).Elem()
	}
	return err
}

// keys are what an object of JSON that is read into a type is looked at for.
func keys(t reflect.Type) []string {
	var out []string
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if t.Field(i).Anonymous {
			out = append(out, keys(t.Field(i).Type)...)
		} else if name != "-" && name != "" {
			out = append(out, name)
		}
	}
	return out
}

// withInterfaces adds to a type in TypeScript what the interfaces are that it names.
func withInterfaces(api, text string) string {
	for _, name := range regexp.MustCompile(`\b[A-Z]\w+`).FindAllString(text, -1) {
		if _, body, ok := strings.Cut(api, "export interface "+name+" {"); ok {
			end := "\n}"
			if !strings.HasPrefix(body, "\n") { // in one line
				end = "\n"
			}
			body, _, _ = strings.Cut(body, end)
			text += "\n" + body
		}
	}
	return text
}

// declares tells whether a type has a field.
func declares(text, key string) bool {
	return regexp.MustCompile(`(?m)(?:^|[ {;(])` + key + `\??:`).MatchString(text)
}

// TestContract holds what is sent to the functions of the extractor, and what is read of
// their answers, against what they are declared to take and to give.
func TestContract(t *testing.T) {
	b, err := os.ReadFile("../../../extension/src/extractor/api.ts")
	if err != nil {
		t.Fatal(err)
	}
	api := string(b)
	ctx, n, text := t.Context(), 1, "x"
	calls := map[string]func(f Frame){
		"resolve": func(f Frame) {
			_, _ = Resolve(ctx, f, Locator{1, "a", new(float64), new(float64), true, true, true, "click"})
		},
		"check":          func(f Frame) { _, _ = Check(ctx, f, pagecontext.Entry{}, "click") },
		"nextRadio":      func(f Frame) { _, _ = NextRadio(ctx, f, 1, "ArrowDown") },
		"pageFacts":      func(f Frame) { _, _ = Facts(ctx, f, 1) },
		"ready":          func(f Frame) { _, _ = Ready(ctx, f, ReadyOptions{1, "click", 1, true, 1, 1}) },
		"hits":           func(f Frame) { _, _ = Hits(ctx, f, 1, Point{1, 2}) },
		"state":          func(f Frame) { _, _ = StateOf(ctx, f, 1) },
		"focus":          func(f Frame) { _, _ = Focus(ctx, f, 1) },
		"intoView":       func(f Frame) { _, _ = IntoView(ctx, f, 1, true) },
		"viewport":       func(f Frame) { _, _ = Viewport(ctx, f) },
		"scrollBy":       func(f Frame) { _, _ = ScrollBy(ctx, f, Scroll{1, "li", 1, 1, true, true}) },
		"drawn":          func(f Frame) { _, _ = Drawn(ctx, f, time.Second) },
		"takenUp":        func(f Frame) { _ = TakenUp(ctx, f, time.Second) },
		"madeRoom":       func(f Frame) { _, _ = MadeRoom(ctx, f, time.Second) },
		"takesDrop":      func(f Frame) { _ = BeginDrop(ctx, f) },
		"value":          func(f Frame) { _, _ = ValueIs(ctx, f, 1, text) },
		"leaveAndReturn": func(f Frame) { _, _, _ = LeaveAndReturn(ctx, f, 1, time.Second, text) },
		"setField":       func(f Frame) { _, _ = SetField(ctx, f, 1, text) },
		"stepper":        func(f Frame) { _, _ = ReadStepper(ctx, f, 1) },
		"fileInput":      func(f Frame) { _, _ = FileInputOf(ctx, f, 1) },
		"buttonsBeside":  func(f Frame) { _, _ = ButtonsBeside(ctx, f, 1) },
		"pick":           func(f Frame) { _, _ = Pick(ctx, f, 1, OptionQuery{&text, text, &n}) },
		"scrollList":     func(f Frame) { _, _ = ScrollList(ctx, f, 1, true) },
		"chosen":         func(f Frame) { _, _ = Chosen(ctx, f, 1, nil) },
		"options":        func(f Frame) { _, _ = OptionsOf(ctx, f, 1, 1) },
		"choose":         func(f Frame) { _, _ = ChooseOptions(ctx, f, Choose{1, nil, true, []string{text}}) },
		"mask":           func(f Frame) { _, _ = Mask(ctx, f, text) },
		"text":           func(f Frame) { _, _ = ReadText(ctx, f, 1, 1) },
		"attribute":      func(f Frame) { _, _ = ReadAttribute(ctx, f, 1, text) },
		"html":           func(f Frame) { _, _ = ReadHTML(ctx, f, 1, true, 1) },
		"content":        func(f Frame) { _, _ = ReadContent(ctx, f, ContentOptions{1, 1, true}) },
		"list":           func(f Frame) { _, _ = ListInside(ctx, f, 1, 1) },
		"probe":          func(f Frame) { _, _ = Look(ctx, f, Wanted{text, text, text}) },
		"pageLines":      func(f Frame) { _, _ = ReadLines(ctx, f) },
		"news":           func(f Frame) { _, _ = ReadNews(ctx, f, Lines{}, Led{}) },
		"restoreStorage": func(f Frame) { _, _ = StoredBefore(ctx, f) },
		"effects":        func(f Frame) { _, _ = ReadEffects(ctx, f, EffectOptions{1, 1, 1, true, 1, true}) },
		"watch":          func(f Frame) { _, _ = Watch(ctx, f, WatchOptions{1, true}) },
		"arm": func(f Frame) {
			_, _ = Arm(ctx, f, Guard{text, 1, 1, 1, 1, true, text, 1, text, text, 1, true, true, text, true, true, true, true, 1, text, true, text})
		},
		"disarm":  func(f Frame) { _, _ = Disarm(ctx, f, text, &EffectOptions{}) },
		"renew":   func(f Frame) { _, _ = Renew(ctx, f, text) },
		"painted": func(f Frame) { _, _ = Painted(ctx, f, time.Second) },
		"lastBox": func(f Frame) { _, _ = LastBox(ctx, f, text) },
		"movedOn": func(f Frame) { _, _ = MovedOn(ctx, f, text, time.Second) },
	}
	for fn, do := range calls {
		var f frame
		do(&f)
		if f.fn != fn {
			t.Errorf("%s calls %s", fn, f.fn)
		}
		_, line, ok := strings.Cut(api, "\n  "+fn+"(")
		if line, _, _ = strings.Cut(line, "\n"); !ok {
			t.Errorf("the extractor has no %s", fn)
			continue
		}
		takes, gives, _ := strings.Cut(line, "):")
		takes, gives = withInterfaces(api, takes), withInterfaces(api, gives)
		var arg map[string]any
		if err := json.Unmarshal([]byte(f.arg), &arg); err != nil {
			t.Fatal(err)
		}
		for key := range arg {
			if !declares(takes, key) {
				t.Errorf("%s does not take %s: %s", fn, key, takes)
			}
		}
		for _, key := range keys(f.result) {
			if !declares(gives, key) && key != "dialog" { // which the host adds to the facts of a page
				t.Errorf("%s does not give %s: %s", fn, key, gives)
			}
		}
	}
}
