package trace

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// A trace as Chromium sends it: out of order, of several threads, with tasks
// within tasks and a collection within one.
const sent = `[
	{"name":"ThreadControllerImpl::RunTask","ph":"X","pid":1,"tid":7,"ts":5000,"dur":9000,"tdur":8000},
	{"name":"tabwright-traced-here","ph":"I","pid":1,"tid":7,"ts":1200},
	{"name":"ThreadControllerImpl::RunTask","ph":"X","pid":1,"tid":7,"ts":1000,"dur":3000,"tdur":2000},
	{"name":"SimpleWatcher::RunTask","ph":"X","pid":1,"tid":7,"ts":6000,"dur":4000,"tdur":4000},
	{"name":"MajorGC","ph":"X","pid":1,"tid":7,"ts":7000,"dur":2500,"tdur":2500},
	{"name":"MinorGC","ph":"X","pid":1,"tid":7,"ts":15000,"dur":1000,"tdur":1000},
	{"name":"ThreadControllerImpl::RunTask","ph":"X","pid":1,"tid":8,"ts":1000,"dur":90000,"tdur":90000},
	{"name":"ThreadControllerImpl::RunTask","ph":"X","pid":2,"tid":7,"ts":1000,"dur":90000,"tdur":90000},
	{"name":"ThreadControllerImpl::RunTask","ph":"X","pid":1,"tid":7,"ts":20000,"dur":1000,"tdur":1500},
	{"name":"V8.Something","ph":"X","pid":1,"tid":7,"ts":30000,"dur":70000,"tdur":70000}
]`

func TestTasks(t *testing.T) {
	var events []Event
	if err := json.Unmarshal([]byte(sent), &events); err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(events)
	got, err := Tasks(events)
	if err != nil || !slices.Equal(got, []float64{5.5, 2, 1}) {
		t.Errorf("the tasks took %v ms, %v; want 5.5, 2 and 1", got, err)
	}
	if !slices.Equal(events, before) {
		t.Error("the events handed in are others afterwards")
	}
	for missing, without := range map[string]string{"main thread": "tabwright-traced-here", "no task": "RunTask"} {
		rest := slices.DeleteFunc(slices.Clone(events), func(e Event) bool { return strings.HasSuffix(e.Name, without) })
		if _, err := Tasks(rest); err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("without %s: %v", without, err)
		}
	}
}
