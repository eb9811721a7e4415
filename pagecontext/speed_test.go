package pagecontext_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// stored is a frame that always answers the same; it is its own Source.
type stored struct{ answer []byte }

func (s stored) ID() string                                     { return "F" }
func (s stored) ParentID() string                               { return "" }
func (s stored) Document() string                               { return "D" }
func (s stored) URL() string                                    { return "http://a.test/" }
func (s stored) Scale() (kx, ky float64)                        { return 1, 1 }
func (s stored) Offset(context.Context) (x, y float64, ok bool) { return 0, 0, true }
func (s stored) PageRev() int                                   { return 1 }
func (s stored) Frames(context.Context) ([]pagecontext.Frame, error) {
	return []pagecontext.Frame{s}, nil
}

func (s stored) Call(_ context.Context, _ string, _, result any) error {
	return json.Unmarshal(s.answer, result)
}

// goods is the tree of a page with a link, a price and a button in each row, as
// the extractor gives it.
func goods(rows int) []byte {
	var b strings.Builder
	b.WriteString(`{"nodes":[{"id":1,"role":"list","tag":"ul","children":[`)
	for i := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"role":"listitem","tag":"li","children":[{"id":%d,"role":"link","tag":"a","name":"Item %d","active":true,"href":"/small?item=%d"},`+
			`{"role":"text","name":"costs %d"},{"id":%d,"role":"button","tag":"button","name":"Add item %d","active":true}]}`, 3*i+2, 3*i+3, i, i, i*3+1, 3*i+4, i)
	}
	b.WriteString(`]}],"truncated":false,"nodeCount":2000}`)
	return []byte(b.String())
}

// BenchmarkSnapshotOnHost is what a snapshot takes once the page has answered:
// reading the answer, numbering, writing the lines. Of a thousand controls.
func BenchmarkSnapshotOnHost(b *testing.B) {
	p := pagecontext.New(stored{goods(500)}, 0)
	b.ReportAllocs()
	for b.Loop() {
		s, err := p.Snapshot(b.Context(), pagecontext.SnapshotOptions{})
		if err != nil || len(s.Refs) != 1001 {
			b.Fatalf("%d refs, %v", len(s.Refs), err)
		}
	}
}

// mixed is a listing of as many elements, of several kinds and states in no order.
func mixed(n int) *pagecontext.Listing {
	closed := false
	roles := strings.Fields("link button tab menuitem switch checkbox article")
	l := &pagecontext.Listing{Total: n}
	for i := range n {
		e := pagecontext.Element{
			Index: i + 1, Role: roles[uint32(i)*2654435761>>9%7], //nolint:gosec // as many as fit
			Name: fmt.Sprintf("Thing %c%d", 'a'+i%26, i*i), IsEnabled: true, IsVisible: true,
		}
		switch e.Role {
		case "link":
			e.Href = fmt.Sprintf("https://b.test/%d", i)
		case "menuitem":
			e.Expanded, e.Draggable = &closed, true
		case "checkbox":
			e.Checked, e.Required = "true", true
		}
		l.Elements = append(l.Elements, e)
	}
	return l
}

// BenchmarkRender is what it takes to write a list of elements that stand side by side.
func BenchmarkRender(b *testing.B) {
	l := mixed(400)
	b.ReportAllocs()
	for b.Loop() {
		if pagecontext.Render(nil, l, pagecontext.RenderOptions{}) == "" {
			b.Fatal("nothing")
		}
	}
}
