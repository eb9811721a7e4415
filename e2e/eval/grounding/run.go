package grounding

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// perPage is how many questions of a page a sample takes.
const perPage = 6

// Options of Run.
type Options struct {
	Model   Chat
	Name    string   // of the model, for the records
	Forms   []string // of the list, in this order
	Answers []string
	Pages   []string // only these; nil for all
	N       int      // questions; 0 for all
	Seed    uint64   // of the pages
	Out     string   // JSON lines; what stands there already is not asked again
	// Progress is told what is going on.
	Progress io.Writer
}

// Run asks what is not answered yet and gives the records of all that was asked for.
// With an error it gives those there are.
func Run(ctx context.Context, o Options) ([]Record, error) {
	pages, err := Pages(o.Seed)
	if err != nil {
		return nil, err
	}
	if len(o.Pages) > 0 {
		pages = slices.DeleteFunc(pages, func(p Page) bool { return !slices.Contains(o.Pages, p.Name) })
	}
	captures, err := readPages(ctx, pages)
	if err != nil {
		return nil, err
	}
	return run(ctx, o, Sample(pages, o.N), captures)
}

// run asks the questions that are in no record of o.Out yet, and gives all records.
func run(ctx context.Context, o Options, sample []Question, captures map[string]*Capture) ([]Record, error) {
	before, err := ReadRecords(o.Out)
	if err != nil {
		return nil, err
	}
	done := map[string]Record{}
	for _, r := range before {
		done[r.key()] = r
	}
	var all []Record
	out, err := os.OpenFile(o.Out, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	// Page by page with every form, so that forms can be compared wherever it is
	// stopped; a form's questions of a page together, so that a server which keeps
	// the beginning of a prompt reads each page once.
	tallies := map[string]*tally{}
	for _, qs := range byPage(sample) {
		for _, form := range o.Forms {
			f, err := FormByName(form)
			if err != nil {
				return all, err
			}
			for _, answer := range o.Answers {
				for _, q := range qs {
					if r, ok := done[Record{Model: o.Name, Form: form, Answer: answer, Question: q.ID}.key()]; ok {
						all = append(all, r)
						continue
					}
					r, err := Ask(ctx, o.Model, f, answer, captures[q.Page], q)
					if err != nil {
						return all, fmt.Errorf("%s, %s: %w", form, q.ID, err)
					}
					r.Model = o.Name
					all = append(all, r)
					if err := json.NewEncoder(out).Encode(r); err != nil {
						return all, err
					}
					way := form + " " + answer
					if tallies[way] == nil {
						tallies[way] = &tally{}
					}
					tallies[way].add(r)
					fmt.Fprintf(o.Progress, "%s %s %s: %v, %d tokens, %.1f s\n", time.Now().Format("15:04:05"), way, q.ID, *tallies[way], r.Input, r.Seconds)
				}
			}
		}
	}
	return all, nil
}

// tally is how many of the questions asked now were answered rightly.
type tally struct{ right, total int }

func (t *tally) add(r Record) {
	t.total++
	if r.Right {
		t.right++
	}
}

func (t tally) String() string { return fmt.Sprintf("%d of %d right", t.right, t.total) }

// byPage cuts questions into those of one page each.
func byPage(qs []Question) [][]Question {
	var out [][]Question
	for i, q := range qs {
		if i == 0 || q.Page != qs[i-1].Page {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], q)
	}
	return out
}

// readPages reads every page in a browser, which is closed before anything is asked.
func readPages(ctx context.Context, pages []Page) (map[string]*Capture, error) {
	b, err := OpenBrowser(ctx)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	cs, err := b.CaptureAll(ctx, pages)
	if err != nil {
		return nil, err
	}
	out := map[string]*Capture{}
	for i := range cs {
		out[cs[i].Page] = &cs[i]
	}
	return out, nil
}

// Sample gives n questions, always the same ones: of each kind of page one page
// with six of its questions, then further pages, then what is left. The questions
// of a page follow one another.
func Sample(pages []Page, n int) []Question {
	byKind := map[string][]Page{}
	var order []string
	total := 0
	for _, p := range pages {
		total += len(p.Questions)
		kind, _, _ := strings.Cut(p.Name, "-")
		if byKind[kind] == nil {
			order = append(order, kind)
		}
		byKind[kind] = append(byKind[kind], p)
	}
	var first, rest []Question
	for round := 0; len(first)+len(rest) < total; round++ {
		for i, kind := range order {
			ps := byKind[kind]
			if round >= len(ps) {
				continue
			}
			qs := slices.Clone(ps[(i+round)%len(ps)].Questions)
			slices.SortFunc(qs, func(a, b Question) int { return strings.Compare(hash(a.ID), hash(b.ID)) })
			k := min(perPage, len(qs))
			first, rest = append(first, qs[:k]...), append(rest, qs[k:]...)
		}
	}
	out := append(first, rest...)
	if n > 0 && n < len(out) {
		out = out[:n]
	}
	at := map[string]int{}
	for _, q := range out {
		if _, ok := at[q.Page]; !ok {
			at[q.Page] = len(at)
		}
	}
	slices.SortStableFunc(out, func(a, b Question) int { return at[a.Page] - at[b.Page] })
	return out
}

func hash(s string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return fmt.Sprintf("%016x", h.Sum64())
}

// ReadRecords reads JSON lines; there are none where there is no file. A last line
// that was not written to its end is left out.
func ReadRecords(path string) ([]Record, error) {
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Record
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var r Record
		if json.Unmarshal(s.Bytes(), &r) == nil && r.Question != "" {
			out = append(out, r)
		}
	}
	return out, s.Err()
}
