package cli

import (
	"maps"
	"testing"

	"tabwright/host/flow"
	"tabwright/host/serve"
)

// --set sets a setting, as of every command; and, as in older versions, a parameter.
func TestReplayParams(t *testing.T) {
	defer func(was map[string]string) { serve.Overrides.Flags = was }(serve.Overrides.Flags)
	rec := &flow.Recording{Params: map[string]flow.Param{"what": {Default: "mug"}, "where": {Default: "here"}}}
	f := replayFlags{
		params: map[string]string{"what": "red mug"},
		set:    map[string]string{"what": "plate", "where": "there", "model": "ollama/x"},
	}
	if err := f.resolve(rec); err != nil {
		t.Fatal(err)
	}
	if want := map[string]string{"what": "red mug", "where": "there"}; !maps.Equal(f.params, want) {
		t.Errorf("parameters %v, want %v", f.params, want)
	}
	if want := map[string]string{"model": "ollama/x"}; !maps.Equal(serve.Overrides.Flags, want) {
		t.Errorf("settings %v, want %v", serve.Overrides.Flags, want)
	}
	for _, f := range []replayFlags{{set: map[string]string{"wat": "x"}}, {params: map[string]string{"model": "x"}}} {
		if err := f.resolve(rec); err == nil {
			t.Errorf("%+v: no error", f)
		}
	}
}
