package models

import (
	"context"

	"tabwright/host/native/wire"
	"tabwright/llm"
)

// Check sends a model one real request of each kind and reports which work. Only one
// check runs at a time, because a local server would do them one after the other
// anyway. If nothing works, the lines say so; the error is for a server or a name
// that can't be used at all.
func (m *Catalog) Check(ctx context.Context, id string) (wire.ModelCheck, error) {
	out := wire.ModelCheck{ID: id, Checks: []wire.CheckLine{}}
	if !m.checking.TryLock() {
		return out, &wire.Error{Code: wire.CodeBusy, Message: "Another model is being checked.", Hint: "Try again when it is done."}
	}
	defer m.checking.Unlock()
	cfg, err := m.configFor(id)
	if err != nil {
		return out, err
	}
	cfg.Retries = -1
	model, err := llm.New(ctx, cfg)
	if err != nil {
		return out, modelError(cfg, err)
	}
	way, err := model.Check(ctx, func(r llm.ProbeResult) { out.Checks = append(out.Checks, checkLine(r)) })
	out.Way = string(way)
	if err != nil && llm.CodeOf(err) != llm.CodeUnsupported {
		return out, modelError(cfg, err)
	}
	return out, nil
}

func checkLine(r llm.ProbeResult) wire.CheckLine {
	line := wire.CheckLine{Name: r.Kind, OK: r.OK, Skipped: r.Skipped, Message: r.Said}
	e := modelErrorOf(r.Err)
	switch {
	case e != nil:
		line.Hint = e.Hint
		line.Say, line.Args = string(e.Code), []string{r.Said}
	case r.Skipped:
		line.Say = "not_tried"
	case !r.OK:
		line.Say, line.Args = "unfit", []string{r.Said}
	}
	return line
}

func modelErrorOf(err error) *wire.Error {
	if err == nil {
		return nil
	}
	return modelError(llm.Config{}, err)
}
