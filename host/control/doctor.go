package control

import (
	"context"
	"errors"
	"time"

	"tabwright/host/native"
)

// Doctor examines the installation and mends what needs no person.
type Doctor interface {
	// Examine tries the whole chain, from the program to the model.
	Examine(ctx context.Context) ([]native.CheckLine, error)
	// Mend does one of the fixes that are of the installation.
	Mend(ctx context.Context, fix string) error
}

// doctorTime bounds a run of the doctor: a tab is opened in each connected
// browser, and the model server is asked.
const doctorTime = 25 * time.Second

func (b *Broker) examine(ctx context.Context) (native.DoctorReport, error) {
	out := native.DoctorReport{Version: b.Version, Checks: []native.CheckLine{}}
	if b.Doctor == nil {
		return out, nil
	}
	ctx, cancel := context.WithTimeout(ctx, doctorTime)
	defer cancel()
	checks, err := b.Doctor.Examine(ctx)
	out.Checks = append(out.Checks, checks...)
	return out, err
}

// onDoctorFix does a fix of the report and gives the report after it. Only a
// panel may: a fix registers programs and ends brokers.
func (c *conn) onDoctorFix(ctx context.Context, from *native.Channel, p native.DoctorFixParams) (native.DoctorReport, error) {
	none := native.DoctorReport{Checks: []native.CheckLine{}}
	link, err := c.panel(from)
	if err != nil {
		return none, err
	}
	switch p.Fix {
	case native.FixRestart:
		return c.fixByRestart(ctx)
	case native.FixReload:
		native.AfterAnswer(ctx, func() { c.reloadExtension() })
		return c.b.examine(ctx)
	case native.FixManifest, native.FixExtension, native.FixSettings:
		if c.b.Doctor == nil {
			return none, &native.Error{Code: native.CodeInternal, Message: "This broker can't mend anything."}
		}
		if err := c.b.Doctor.Mend(ctx, p.Fix); err != nil {
			return none, &native.Error{Code: native.CodeInternal, Message: "It could not be mended: " + err.Error(), Hint: "Run tabwright doctor in a terminal."}
		}
		if p.Fix == native.FixSettings {
			c.b.Manager.Models.forgetChoice()
		}
		if p.Fix == native.FixExtension && link != nil {
			native.AfterAnswer(ctx, func() { c.reloadExtension() })
		}
		return c.b.examine(ctx)
	}
	return none, &native.Error{Code: native.CodeInvalidParams, Message: "There is no such fix.", Hint: "Look at the checks again."}
}

// fixByRestart ends the broker once the answer has left; the shim of each
// browser ends with it, and the extension starts a new one.
func (c *conn) fixByRestart(ctx context.Context) (native.DoctorReport, error) {
	if c.b.Manager.Running() > 0 {
		return native.DoctorReport{Checks: []native.CheckLine{}}, &native.Error{Code: CodeBusy, Message: "Tasks are running.", Hint: "Stop them first."}
	}
	report, err := c.b.examine(ctx)
	native.AfterAnswer(ctx, func() {
		flush, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = c.peer.Flush(flush) // a client that is gone needs no answer
		c.b.stop(ErrAsked)
	})
	return report, err
}

// reloadExtension has the extension of this connection reload itself, which
// closes its panels, too.
func (c *conn) reloadExtension() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = c.peer.Flush(ctx)
	err := c.peer.Call(ctx, native.MethodReload, native.Empty{}, nil)
	if err != nil && !errors.Is(err, &native.Error{Code: native.CodeClosed}) {
		c.b.Log.Warn().Err(err).Msg("the extension did not reload itself")
	}
}
