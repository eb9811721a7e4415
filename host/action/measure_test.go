package action

import (
	"context"
	"testing"

	"tabwright/pagecontext"
)

func TestRealMeasure(t *testing.T) {
	startChromium(t)
	l := openLive(t, chromium.d, "dense.html?grid")
	const budget = 108
	got, err := Measure(context.Background(), l.tab, budget, 3)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pagecontext.New(realTab{l.tab}, 0).Elements(context.Background(), pagecontext.Query{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Elements != all.Total || got.Elements < 72 || got.Nodes < got.Elements || got.Frames != 1 || got.Title != "Dense" {
		t.Errorf("%+v, the list has %d", got, all.Total)
	}
	if got.SummaryTokens <= 0 || got.FirstTokens <= got.SummaryTokens || got.FirstTokens > 2*budget || got.WholeTokens <= budget {
		t.Errorf("tokens: %+v", got)
	}
	if got.FirstMS <= 0 || got.WholeMS <= 0 {
		t.Errorf("times: %+v", got)
	}
}
