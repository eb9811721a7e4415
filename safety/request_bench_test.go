//go:build unix

package safety

import (
	"strings"
	"testing"
)

// BenchmarkJudgeRequest is the judgement of a request, of an act that nobody can
// make out. The aim is under 200 µs for a usual body.
func BenchmarkJudgeRequest(b *testing.B) {
	a, c := blindPress("https://app.test/x"), Context{Sites: []string{"app.test"}, Policy: mustPolicy(b, "preset: careful\n")}
	long := `{"blocks":[` + strings.TrimSuffix(strings.Repeat(`{"type":"paragraph","id":"b1","text":"The quick brown fox jumps over the lazy dog","marks":[]},`, 500), ",") + `]}`
	for name, r := range map[string]Request{
		"delete":      {Method: "DELETE", URL: "https://app.test/api/orders/17"},
		"json":        {Method: "POST", URL: "https://app.test/api/tasks/4/move", Mime: "application/json", Body: `{"column":3,"position":"after","ids":[1,2,3],"note":"hello there","meta":{"source":"board","at":"2026-01-02"}}`},
		"graphql":     {Method: "POST", URL: "https://app.test/graphql", Mime: "application/json", Body: `{"operationName":"UpdateTask","query":"mutation UpdateTask($id: ID!, $input: TaskInput!) { updateTask(id: $id, input: $input) { id title column { id } } }","variables":{"id":"4","input":{"title":"x"}}}`},
		"form":        {Method: "POST", URL: "https://app.test/index.php?route=account/edit", Mime: "application/x-www-form-urlencoded", Body: "first=Ann&last=Lee&city=Lisbon&zip=1000&country=PT&_token=abcdef"},
		"long, 45 kB": {Method: "PUT", URL: "https://app.test/api/documents/4", Mime: "application/json", Body: long},
	} {
		b.Run(name, func(b *testing.B) {
			JudgeRequest(r, a, c)
			from := cpuTime(b)
			for b.Loop() {
				JudgeRequest(r, a, c)
			}
			b.ReportMetric(float64(cpuTime(b)-from)/1000/float64(b.N), "cpu-µs/op")
		})
	}
}
