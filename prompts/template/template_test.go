package template

import (
	htmltemplate "html/template"
	"strings"
	"testing"
	"testing/fstest"
	texttemplate "text/template"
)

type inner struct {
	Name string
	Cost *float64
	None *inner
	List []inner
}

type data struct {
	*inner

	Body  any
	N     int
	Form  map[string]string
	Empty []string
	Args  []any
}

var funcs = Funcs{
	"twice": func(s string) string { return s + s },
	"at": func(args []any, i int) any {
		if i < len(args) {
			return args[i]
		}
		return ""
	},
	"of": func(i inner) string { return "of " + i.Name },
}

func sample() data {
	cost := 0.25
	in := inner{Name: `a <b> & "c" 'd'`, Cost: &cost, List: []inner{{Name: "x"}, {Name: "y"}}}
	return data{inner: &in, Body: in, N: -1, Form: map[string]string{"city": "Bern"}, Args: []any{"text", 7}}
}

// Each template says the same as Go's own packages make of it.
func TestAsGo(t *testing.T) {
	for _, text := range []string{
		`plain {{.Name}} {{.N}} {{.Cost}}`,
		`{{if .Empty}}some{{else if .List}}list{{else}}none{{end}} {{- if .None}}x{{end}}`,
		`{{with .Body}}{{.Name}} {{with .Cost}}{{.}}{{end}}{{else}}no{{end}}{{with .None}}x{{else}}{{.N}}{{end}}`,
		`{{range .List}}({{.Name}}){{else}}none{{end}}{{range .Empty}}x{{else}}none{{end}}`,
		`{{$b := .Body}}{{$b.Name}}{{range $b.List}}{{.Name}}{{$b.Name}}{{$.N}}{{end}}`,
		`{{if eq 1 1}}{{$x := .N}}{{$x}}{{end}}{{$x := "out"}}{{with .N}}{{$x := .}}{{$x}}{{end}}{{$x}}`,
		`{{twice .Name}} {{twice (twice "o")}} {{of .Body}} {{at .Args 0}}{{at .Args 1}}{{at .Args 2}}`,
		`{{if eq (print (at .Args 0)) "text"}}yes{{end}}{{if or (eq .N 1) (ge .N 0)}}x{{else}}no{{end}}{{with at .Args 5}}x{{end}}`,
		`{{template "part" .Body}}{{template "bare"}}{{.Form.city}}{{define "part"}}[{{$.Name}}{{.Name}}]{{end}}{{define "bare"}}!{{end}}`,
		`<a title="{{.Name}}" href="/p/{{.N}}">{{.Name}}</a>`,
		`{{/* nothing */}}{{if 0}}x{{end}}{{if 1}}y{{end}}`,
	} {
		files := fstest.MapFS{"t": {Data: []byte(text)}}
		var want, got strings.Builder
		if err := texttemplate.Must(texttemplate.New("t").Funcs(texttemplate.FuncMap(funcs)).Parse(text)).Execute(&want, sample()); err != nil {
			t.Fatal(err)
		}
		if err := Must(Text(files, funcs, "t")).Execute(&got, "t", sample()); err != nil || got.String() != want.String() {
			t.Errorf("%s\n got %q, %v\nwant %q", text, got.String(), err, want.String())
		}
		want.Reset()
		got.Reset()
		if err := htmltemplate.Must(htmltemplate.New("t").Funcs(htmltemplate.FuncMap(funcs)).Parse(text)).Execute(&want, sample()); err != nil {
			continue // not HTML
		}
		if err := Must(HTML(files, funcs, "t")).Execute(&got, "t", sample()); err != nil || got.String() != want.String() {
			t.Errorf("%s\n got %q, %v\nwant %q", text, got.String(), err, want.String())
		}
	}
}

func TestWrongTemplates(t *testing.T) {
	for _, text := range []string{
		`{{.Nothing}}`, `{{.Name.Nothing}}`, `{{.Name | twice}}`, `{{template "none"}}`, `{{range .List}}{{break}}{{end}}`, `{{twice .N}}`,
	} {
		if err := Must(Text(fstest.MapFS{"t": {Data: []byte(text)}}, funcs, "t")).Execute(&strings.Builder{}, "t", sample()); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
	for _, text := range []string{`{{`, `{{none 1}}`} {
		if _, err := Text(fstest.MapFS{"t": {Data: []byte(text)}}, funcs, "t"); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
	if _, err := Text(fstest.MapFS{}, nil, "t"); err == nil {
		t.Error("no file: no error")
	}
}
