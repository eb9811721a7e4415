package llm

import (
	"cmp"

	"tabwright/llm/pointer"
)

// The modes: a list of the elements; the list with marked screenshots; screenshots
// alone, on which the model points.
const (
	ModeDOM     = "dom"
	ModeHybrid  = "hybrid"
	ModePointer = "pointer"
)

// Modes returns all modes.
func Modes() []string { return []string{ModeDOM, ModeHybrid, ModePointer} }

// Mode returns how a model is shown a page.
func (c Capabilities) Mode() string {
	switch {
	case c.Family != "":
		return ModePointer
	case c.Vision:
		return ModeHybrid
	default:
		return ModeDOM
	}
}

// setPointer sets Family if the model acts by screenshots and coordinates: by its
// name, or as the user says. A model with such a name also counts as one that sees,
// unless its server says otherwise. A model whose pictures were refused can't
// point.
func (m *Model) setPointer(c *Capabilities) {
	said := cmp.Or(m.cfg.Family, pointer.Of(m.cfg.Model))
	switch m.cfg.Mode {
	case ModeDOM:
		c.Vision, c.Source["vision"] = false, sourceUser
		return
	case ModeHybrid:
		if c.Source["vision"] != sourceSeen {
			c.Vision, c.Source["vision"] = true, sourceUser
		}
		return
	case ModePointer:
		said = cmp.Or(said, pointer.Closest(m.cfg.Model))
		if c.Source["vision"] != sourceSeen {
			c.Vision, c.Source["vision"] = true, sourceUser
		}
	}
	if said == "" {
		return
	}
	if c.Source["vision"] == sourceTable {
		c.Vision = true
	}
	if c.Vision {
		c.Family = said
	}
}
