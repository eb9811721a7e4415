package pagecontext

import "context"

// Said is a text of the page, with the line of the control beside it.
type Said struct{ Text, Near string }

// mostSaid is how many texts Saying gives.
const mostSaid = 5

// Saying returns texts of the page that contain the words of a query, for words that no
// control is named by. The controls beside the texts count as shown.
func (p *Page) Saying(ctx context.Context, query string) ([]Said, error) {
	rev := p.src.PageRev()
	fs, err := p.frames(ctx)
	if err != nil {
		return nil, err
	}
	states := each(ctx, fs, func(ctx context.Context, f *frameState) error {
		var r struct {
			Said []struct {
				Text string     `json:"text"`
				Near RawElement `json:"near"`
			} `json:"said"`
			Seen int `json:"seen"`
		}
		if err := f.frame.Call(ctx, "saying", map[string]string{"query": query}, &r); err != nil {
			return err
		}
		f.list.Seen = r.Seen
		for _, one := range r.Said {
			f.list.Rows = append(f.list.Rows, RawRow{Text: one.Text})
			f.list.Elements = append(f.list.Elements, one.Near)
		}
		return nil
	})
	p.mu.Lock()
	s := p.newSnapshot(rev)
	var out []Said
	var shown []Element
	for _, f := range states {
		if f.err != nil || !f.shown {
			continue
		}
		for i, row := range f.list.Rows[:min(len(f.list.Rows), mostSaid-len(out))] {
			say := Said{Text: Flatten(row.Text)}
			if raw := f.list.Elements[i]; raw.ID > 0 {
				e := element(p.note(f.frame, raw, rev, f.list.Seen, s).Index, raw, f)
				shown, say.Near = append(shown, e), Line(e)
			}
			out = append(out, say)
		}
	}
	p.mu.Unlock()
	p.ShowAll(s.id, shown)
	return out, nil
}
