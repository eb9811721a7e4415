package spec

import (
	"strings"
	"testing"
	"testing/fstest"

	"tabwright/safety"
)

func TestRegistryRefuses(t *testing.T) {
	doc := map[string]string{English: "x", Chinese: "x"}
	declare := func(s Spec) Spec { return Declare[struct{}](s) }
	tests := []struct {
		name  string
		specs []Spec
		want  string
	}{
		{"no class", []Spec{declare(Spec{Name: "a", Doc: doc})}, "no consequence class"},
		{"no docs", []Spec{declare(Spec{Name: "undocumented", Class: safety.Read})}, "undocumented.en.md"},
		{"no schema", []Spec{{Name: "a", Class: safety.Read, Doc: doc}}, "no schema"},
		{"twice", []Spec{declare(Spec{Name: "a", Class: safety.Read, Doc: doc}), declare(Spec{Name: "a", Class: safety.Read, Doc: doc})}, "twice"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewRegistry(fstest.MapFS{}, tt.specs...)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}
