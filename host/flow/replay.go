package flow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tabwright/host/action"
	"tabwright/host/native/wire"
)

// Doer runs the actions of a replay: a session of any door, with that door's gate
// and confirmations.
type Doer interface {
	// Do runs an action to its end, and asks the user where the gate wants it.
	Do(ctx context.Context, c action.Call) wire.SessionResult
	// Observe looks at the page.
	Observe(ctx context.Context, o action.ObserveOptions) wire.SessionResult
}

// Codes of a replay's own errors.
const (
	CodeNoFit wire.Code = "no_fit" // a step does not fit the page any more
)

const (
	// patience bounds the wait for an element, expectTime the wait for a step's
	// effect. findEvery is the time between looks for an element.
	patience   = 8 * time.Second
	findEvery  = 250 * time.Millisecond
	expectTime = 10 * time.Second
	// textTime bounds the wait for text that appeared in the recording.
	textTime = 5 * time.Second
)

// Replay does a recording again.
type Replay struct {
	Recording *Recording
	Hands     Doer
	// Values are the parameters' values; missing ones have their default.
	Values map[string]string
	// URL replaces the recording's start address; "" keeps it.
	URL string
	// Mend changes a step that no longer fits; if nil, the replay stops there.
	Mend Mender
	// Say is called after each step; may be nil.
	Say func(n, total int, line string)
	// From is the position of the first step to do.
	From int
	// Next is called with the number of steps done, before each step and at the
	// end. Its error ends the replay. May be nil.
	Next func(done int) error
	// Mended is called with a change once its step was done; may be nil.
	Mended func(Change) error
	// Patience bounds the wait for an element; 0 means eight seconds.
	Patience time.Duration
}

// Change is a step that was mended. A nil Step means that it was left out.
type Change struct {
	At   int // position in the recording
	Step *Step
	Why  string
}

// unfit is the error of a step that does not fit the page.
type unfit struct {
	why   string
	acted bool // it was done without its expected effect
	idle  bool // … and without any visible one: it may mean another element
}

func (u *unfit) Error() string { return u.why }

// Run does all steps. It returns the mended steps also where a later step failed.
func (r *Replay) Run(ctx context.Context) ([]Change, error) {
	values, err := r.Recording.Resolve(r.Values)
	if err != nil {
		return nil, err
	}
	begin := r.URL
	if begin == "" {
		begin = r.Recording.URL
	}
	if begin != "" && r.From == 0 {
		res := r.Hands.Do(ctx, call("navigate", map[string]any{"url": fill(begin, values)}))
		if res.Error != nil {
			return nil, res.Error
		}
	}
	var changes []Change
	for i, s := range r.Recording.Steps {
		if i < r.From {
			continue
		}
		if err := r.next(i); err != nil {
			return changes, err
		}
		line, err := r.step(ctx, s.filled(values))
		var u *unfit
		if errors.As(err, &u) {
			var c Change
			if c, line, err = r.mend(ctx, i, values, u); err == nil {
				changes = append(changes, c)
				err = r.mended(c)
			}
		}
		if err != nil {
			return changes, fmt.Errorf("step %d of %d (%s): %w", i+1, len(r.Recording.Steps), s.say(), err)
		}
		if r.Say != nil {
			r.Say(i+1, len(r.Recording.Steps), line)
		}
	}
	return changes, r.next(len(r.Recording.Steps))
}

func (r *Replay) next(done int) error {
	if r.Next == nil {
		return nil
	}
	return r.Next(done)
}

func (r *Replay) mended(c Change) error {
	if r.Mended == nil {
		return nil
	}
	return r.Mended(c)
}

// Resolve returns the values of all parameters. Its error names missing and unknown
// ones.
func (r *Recording) Resolve(given map[string]string) (map[string]string, error) {
	return resolve(r.Params, given)
}

// GoalWith returns the recording's goal, or its name, with the values filled in.
func (r *Recording) GoalWith(values map[string]string) string {
	if r.Goal == "" {
		return fill(r.Name, values)
	}
	return fill(r.Goal, values)
}

// BeginWith returns the start address with the values filled in.
func (r *Recording) BeginWith(values map[string]string) string { return fill(r.URL, values) }

func resolve(params map[string]Param, given map[string]string) (map[string]string, error) {
	out := map[string]string{}
	var missing, unknown []string
	for name, p := range params {
		v, ok := given[name]
		if !ok {
			v = p.Default
		}
		if p.Secret && v != "" && !isPlaceholder(v) {
			return nil, invalid("`tabwright secret set NAME` stores a value; then --param "+name+"='{{secret:NAME}}'.",
				"The parameter %q is secret: it takes a placeholder of the vault only.", name)
		}
		if v == "" {
			missing = append(missing, name)
		}
		out[name] = v
	}
	for name := range given {
		if _, ok := params[name]; !ok {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(missing)
	slices.Sort(unknown)
	switch {
	case len(missing) > 0:
		return nil, invalid("Give each with --set NAME=VALUE.", "Parameters without a value: %s.", strings.Join(missing, ", "))
	case len(unknown) > 0:
		has := "It has none."
		if len(params) > 0 {
			has = "It has: " + strings.Join(slices.Sorted(maps.Keys(params)), ", ") + "."
		}
		return nil, invalid(has, "The workflow has no parameters called %s.", strings.Join(unknown, ", "))
	}
	return out, nil
}

// fill replaces {{name}} by the value of that name. Other references stay as they
// are.
func fill(text string, values map[string]string) string {
	return paramRef.ReplaceAllStringFunc(text, func(ref string) string {
		if v, ok := values[paramRef.FindStringSubmatch(ref)[1]]; ok {
			return v
		}
		return ref
	})
}

// filled returns the step with the values filled in.
func (s Step) filled(values map[string]string) Step {
	if s.Target != nil {
		t := *s.Target
		t.Name, t.Context = fill(t.Name, values), fill(t.Context, values)
		s.Target = &t
	}
	if s.Expect != nil {
		s.Expect = &Expect{URL: fill(s.Expect.URL, values), Text: fill(s.Expect.Text, values), Value: fill(s.Expect.Value, values)}
	}
	with := make(map[string]any, len(s.With))
	for k, v := range s.With {
		if text, ok := v.(string); ok {
			v = fill(text, values)
		}
		with[k] = v
	}
	s.With = with
	return s
}

func (s Step) say() string {
	return strings.TrimSpace(s.Do + " " + s.Target.words())
}

// step does one step whose values are filled in.
func (r *Replay) step(ctx context.Context, s Step) (string, error) {
	index := 0
	if s.Target != nil && s.Target.Selector == "" {
		var err error
		if index, err = r.find(ctx, *s.Target); err != nil {
			return "", err
		}
	}
	return r.act(ctx, s, index)
}

// act does a step on the element with that index; 0 means no element.
func (r *Replay) act(ctx context.Context, s Step, index int) (string, error) {
	with := make(map[string]any, len(s.With)+1)
	for k, v := range s.With {
		with[k] = v
	}
	switch {
	case index > 0:
		with["index"] = index
	case s.Target != nil:
		with["selector"] = s.Target.Selector
	}
	res := r.Hands.Do(ctx, call(s.Do, with))
	if res.Error != nil {
		return res.Line, failure(res.Error)
	}
	if s.Expect == nil {
		return res.Line, nil
	}
	return res.Line, r.came(ctx, *s.Expect, index, res)
}

// came waits for the expected effect of a step.
func (r *Replay) came(ctx context.Context, e Expect, index int, res wire.SessionResult) error {
	if e.URL != "" {
		wait := r.Hands.Do(ctx, call("waitFor", map[string]any{"url": e.URL, "timeoutMs": expectTime.Milliseconds()}))
		if wait.Error != nil {
			return &unfit{acted: true, why: "it was done, but the address did not become " + e.URL}
		}
	}
	// If the page changed, the step had an effect, though with other words.
	if e.Text != "" && res.Effect == action.NoEffect {
		wait := r.Hands.Do(ctx, call("waitFor", map[string]any{"text": e.Text, "timeoutMs": textTime.Milliseconds()}))
		if wait.Error != nil && action.Code(wait.Error.Code) == action.Timeout {
			return &unfit{acted: true, idle: true, why: fmt.Sprintf("it was done without any effect; %q did not come up", e.Text)}
		}
	}
	if e.Value == "" || index == 0 {
		return nil
	}
	got := r.Hands.Do(ctx, call("getValue", map[string]any{"index": index}))
	var v struct {
		Value  *string `json:"value"`
		Masked bool    `json:"masked"`
	}
	if got.Error != nil || json.Unmarshal(got.Data, &v) != nil || v.Value == nil || v.Masked {
		return nil //nolint:nilerr // what can't be read is not held against the step
	}
	if strings.Contains(fold(*v.Value), fold(e.Value)) {
		return nil
	}
	return &unfit{acted: true, idle: true, why: fmt.Sprintf("it was done, but the field holds %q instead of %q", cut(*v.Value, 60), cut(e.Value, 60))}
}

// failure returns an unfit error where another step may work. It returns other errors
// as they are: a refusal, a lost browser.
func failure(e *wire.Error) error {
	switch action.Code(e.Code) {
	case action.NotFound, action.StaleRef, action.Covered, action.Disabled, action.NotVisible, action.NotEditable, action.InvalidParams:
		return &unfit{why: e.Message}
	case action.Timeout:
		var d action.MovingData
		if json.Unmarshal(e.Data, &d) == nil && d.Moving { // another element or the keyboard may work
			return &unfit{why: e.Message}
		}
		return e
	default:
		return e
	}
}

// candidate is an element in the result of the find action.
type candidate struct {
	Index     int    `json:"index"`
	Role      string `json:"role"`
	Tag       string `json:"tag"`
	Name      string `json:"name"`
	Group     string `json:"group"`
	IsEnabled bool   `json:"isEnabled"`
}

// find returns the index of the element that a target names. It waits up to
// r.Patience for it.
func (r *Replay) find(ctx context.Context, t Target) (int, error) {
	wait := r.Patience
	if wait == 0 {
		wait = patience
	}
	over := time.NewTimer(wait)
	defer over.Stop()
	for {
		why := ""
		for _, q := range t.queries() {
			res := r.Hands.Do(ctx, call("find", q.params))
			if res.Error != nil && action.Code(res.Error.Code) != action.NotFound {
				if fatal := failure(res.Error); !isUnfit(fatal) {
					return 0, fatal
				}
			}
			index, many := q.choose(res, t)
			if index > 0 {
				return index, nil
			}
			if many > 1 && why == "" {
				why = fmt.Sprintf("there are %d that are called so, and nothing tells which is meant", many)
			}
		}
		select {
		case <-over.C:
			if why == "" {
				why = "there is no " + t.words() + " on the page"
			}
			return 0, &unfit{why: why}
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		case <-time.After(findEvery):
		}
	}
}

func isUnfit(err error) bool {
	var u *unfit
	return errors.As(err, &u)
}

// query is one way to look for a target, the surest first.
type query struct {
	params map[string]any
	fits   func(c candidate) bool
}

// queries gives the ways to look for a target: by the exact role and name; by the
// name with other digits (prices, counts) in the same role; by the name in a similar
// role.
func (t Target) queries() []query {
	if t.Name == "" {
		return []query{{params: map[string]any{"role": t.Role}, fits: func(c candidate) bool { return t.Context != "" && c.Group == t.Context }}}
	}
	same := func(c candidate) bool { return fold(c.Name) == fold(t.Name) }
	out := []query{{params: map[string]any{"role": t.Role, "name": t.Name, "exact": true}, fits: same}}
	if part := wordiest(t.Name); part != t.Name && part != "" {
		out = append(out, query{params: map[string]any{"role": t.Role, "name": part}, fits: func(c candidate) bool {
			return digitless(c.Name) == digitless(t.Name)
		}})
	}
	return append(out, query{params: map[string]any{"name": t.Name}, fits: func(c candidate) bool {
		return same(c) && alike(c.Role, t.Role)
	}})
}

// choose gives the index of the element that fits, 0 unless it is the only one, and the
// number of those that fit. Several are told apart by context, then by being enabled.
func (q query) choose(res wire.SessionResult, t Target) (index, many int) {
	var list struct {
		Elements []candidate `json:"elements"`
	}
	if res.Error != nil || json.Unmarshal(res.Data, &list) != nil {
		return 0, 0
	}
	fit := slices.DeleteFunc(list.Elements, func(c candidate) bool { return !q.fits(c) })
	if len(fit) > 1 && t.Context != "" {
		here := slices.DeleteFunc(slices.Clone(fit), func(c candidate) bool { return digitless(c.Group) != digitless(t.Context) })
		if len(here) > 0 {
			fit = here
		}
	}
	if len(fit) > 1 {
		if on := slices.DeleteFunc(slices.Clone(fit), func(c candidate) bool { return !c.IsEnabled }); len(on) == 1 {
			fit = on
		}
	}
	if len(fit) != 1 {
		return 0, len(fit)
	}
	return fit[0].Index, 1
}

// alikes are groups of roles that pages use for the same purpose.
var alikes = [][]string{
	{"textbox", "searchbox", "combobox", "spinbutton"},
	{"button", "link", "menuitem", "tab"},
	{"checkbox", "switch", "radio", "menuitemcheckbox"},
	{"combobox", "listbox"},
}

func alike(a, b string) bool {
	return a == b || slices.ContainsFunc(alikes, func(set []string) bool { return slices.Contains(set, a) && slices.Contains(set, b) })
}

func digitless(s string) string {
	return fold(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '.' || r == ',' {
			return -1
		}
		return r
	}, s))
}

// wordiest gives the longest part of a name without digits.
func wordiest(name string) string {
	best := ""
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r >= '0' && r <= '9' }) {
		if part = strings.TrimSpace(part); len(part) > len(best) {
			best = part
		}
	}
	return best
}

func call(name string, params map[string]any) action.Call {
	raw, err := json.Marshal(params)
	if err != nil {
		raw = []byte("{}") // a value that YAML gave and JSON has no word for; the action says what it lacks
	}
	return action.Call{Name: name, Params: raw}
}
