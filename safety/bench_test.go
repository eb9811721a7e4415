//go:build unix

package safety

import (
	"strings"
	"syscall"
	"testing"
)

// gateActs are acts of each kind as the gate gets them, on a long page.
func gateActs() map[string]Act {
	text := strings.Repeat("The quick brown fox jumps over the lazy dog and pays nothing for it. ", 290)[:20000]
	at := Page{URL: "https://shop.test/checkout/review", Title: "Review", Text: text, Amounts: []string{"$89.00"}}
	field := &Target{Tag: "textarea", Role: "textbox", Name: "Message", Editable: true, FrameURL: at.URL}
	pay := form("https://shop.test/pay", "post", Field{Name: "amount", Value: "89"}, Field{Name: "number", Secret: "card"})
	strange := button("Off we go")
	strange.Context = "Plan Solo · " + strings.Repeat("Photos Files Notes 24 h 7 days Members ", 7) + "Off we go"
	sel := &Target{Tag: "select", Role: "combobox", Name: "With selected", OnChange: true, FrameURL: at.URL}
	letter := strings.Repeat("I shall be there at noon, and I look forward to the walk along the river. ", 8)
	return map[string]Act{
		"read":           {Action: "getElements", Base: Read, Page: at},
		"scroll":         {Action: "scroll", Base: Read, Page: at},
		"navigate":       {Action: "navigate", Base: Navigate, URL: "https://other.test/search?q=blue+enamel+teapot&page=2", Page: at},
		"click, link":    {Action: "click", Base: Write, Target: link("Reviews", "https://shop.test/r"), Page: at},
		"click, button":  {Action: "click", Base: Write, Target: button("Show more"), Page: at},
		"click, pay":     {Action: "click", Base: Write, Target: button("Pay $89.00"), Page: at},
		"click, unknown": {Action: "click", Base: Write, Target: strange, Page: at},
		"click, submit":  {Action: "click", Base: Write, Target: submit("Go on", pay), Page: at},
		"type, a word":   {Action: "type", Base: Write, Text: "Lisbon", Target: field, Page: at},
		"type, a letter": {Action: "type", Base: Write, Text: letter, Target: field, Page: at},
		"press Enter":    {Action: "pressKey", Base: Write, Key: "Enter", Target: field, Page: at},
		"select":         {Action: "select", Base: Write, Text: "Move to trash", Target: sel, Page: at},
		"drag":           {Action: "dragDrop", Base: Write, Target: button("Plan"), Drop: button("Drop here to delete"), Page: at},
		"dialog":         {Action: "handleDialog", Base: Write, Params: []byte(`{"accept":true}`), Page: Page{URL: at.URL, Text: text, Dialog: "Delete 3 files?"}},
		"upload":         {Action: "uploadFile", Base: FileClass, Files: []string{"/home/me/plan.pdf"}, Target: field, Page: at},
		"executeJS":      {Action: "executeJS", Base: CodeClass, Params: []byte(`{"code":"document.title"}`), Text: "document.title", Page: at},
		"download":       {Action: "download", Base: FileClass, File: "/tmp/a.csv", URL: "https://shop.test/a.csv", Page: at},
	}
}

// BenchmarkGate is all that the gate does with the facts of an act of each kind:
// the judgement under a policy, and what the act carries from a task that has
// read a long page of another site. The aim is under a millisecond.
func BenchmarkGate(b *testing.B) {
	own := mustPolicy(b, "preset: careful\nsites:\n  shop.test: {submit: auto}\n  b.test: block\n")
	c := Context{Sites: []string{"shop.test"}, Policy: own}
	for kind, a := range gateActs() {
		b.Run(kind, func(b *testing.B) {
			m := NewMemory("Find the blue enamel teapot")
			m.Saw(bank, strings.Repeat(bankPage, 20), true)
			gate(m, a, c) // the word lists are read with the first act
			from := cpuTime(b)
			for b.Loop() {
				gate(m, a, c)
			}
			b.ReportMetric(float64(cpuTime(b)-from)/1000/float64(b.N), "cpu-µs/op")
		})
	}
}

// cpuTime is what this process has used of the processors, in ns: what else runs
// on the machine does not count.
func cpuTime(b *testing.B) int64 {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// gate judges an act as the host does.
func gate(m *Memory, a Act, c Context) Decision {
	d := Judge(a, c)
	out := Leaves(a)
	x := Crossing{To: out.Site, New: NewSite(a, d, c)}
	if out.URL != "" {
		x.Carried = m.InURL(out.URL)
	}
	for _, text := range out.Texts {
		if text != "" {
			x.Carried = append(x.Carried, m.InText(out.Site, text)...)
		}
	}
	d.Cross(a, c, x)
	return d
}
