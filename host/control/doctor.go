package control

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// doctorTime bounds a run of the doctor: a tab is opened in each connected
// browser, and the model server is asked.
const doctorTime = 25 * time.Second

func (b *Broker) runDoctor(ctx context.Context) (wire.DoctorReport, error) {
	out := wire.DoctorReport{Version: b.Version, Checks: []wire.CheckLine{}}
	if b.Doctor == nil {
		return out, nil
	}
	ctx, cancel := context.WithTimeout(ctx, doctorTime)
	defer cancel()
	checks, err := b.Doctor.Examine(ctx)
	out.Checks = append(out.Checks, checks...)
	return out, err
}

// onDoctorFix makes a fix of the report and returns the new report. Only a panel
// may call it, because a fix registers programs and ends brokers.
func (c *conn) onDoctorFix(ctx context.Context, from *rpc.Channel, p wire.DoctorFixParams) (wire.DoctorReport, error) {
	none := wire.DoctorReport{Checks: []wire.CheckLine{}}
	link, err := c.panel(from)
	if err != nil && p.Fix == wire.FixReload && c.link == nil {
		c.b.reloadAll(ctx) // a command line may reload the panels' extensions
		return none, nil
	}
	if err != nil {
		return none, err
	}
	switch p.Fix {
	case wire.FixRestart:
		return c.fixByRestart(ctx)
	case wire.FixReload:
		rpc.AfterAnswer(ctx, func() { c.reloadExtension() })
		return c.b.runDoctor(ctx)
	case wire.FixManifest, wire.FixExtension, wire.FixSettings, wire.FixProgram, wire.FixStrays, wire.FixFolders,
		wire.FixJournal, wire.FixKeys, wire.FixModel, wire.FixProfiles:
		if c.b.Doctor == nil {
			return none, &wire.Error{Code: wire.CodeInternal, Message: "This broker can't mend anything."}
		}
		if err := c.b.Doctor.Mend(ctx, p.Fix); err != nil {
			return none, &wire.Error{Code: wire.CodeInternal, Message: "It could not be mended: " + err.Error(), Hint: "Run tabwright doctor in a terminal."}
		}
		if p.Fix == wire.FixSettings || p.Fix == wire.FixModel {
			c.b.Manager.Models.ForgetChoice()
		}
		if p.Fix == wire.FixExtension && link != nil {
			rpc.AfterAnswer(ctx, func() { c.reloadExtension() })
		}
		return c.b.runDoctor(ctx)
	}
	return none, &wire.Error{Code: wire.CodeInvalidParams, Message: "There is no such fix.", Hint: "Look at the checks again."}
}

// fixByRestart ends the broker once the answer is sent. The shim of each browser
// ends with it, and the extension starts a new one.
func (c *conn) fixByRestart(ctx context.Context) (wire.DoctorReport, error) {
	if c.b.Manager.CountRunning() > 0 {
		return wire.DoctorReport{Checks: []wire.CheckLine{}}, &wire.Error{Code: wire.CodeBusy, Message: "Tasks are running.", Hint: "Stop them first."}
	}
	report, err := c.b.runDoctor(ctx)
	rpc.AfterAnswer(ctx, func() {
		flush, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = c.peer.Flush(flush) // a client that is gone needs no answer
		c.b.stop(ErrAsked)
	})
	return report, err
}

// reloadAll tells the extension of each connected browser to reload itself.
func (b *Broker) reloadAll(ctx context.Context) {
	b.mu.Lock()
	links := slices.Collect(maps.Values(b.relays))
	b.mu.Unlock()
	for _, l := range links {
		l.mu.Lock()
		conn := l.conn
		l.mu.Unlock()
		if conn != nil && ctx.Err() == nil {
			conn.reloadExtension()
		}
	}
}

// reloadExtension tells this connection's extension to reload itself, which also
// closes its panels.
func (c *conn) reloadExtension() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = c.peer.Flush(ctx)
	err := c.peer.Call(ctx, wire.MethodReload, wire.Empty{}, nil)
	if err != nil && !errors.Is(err, &wire.Error{Code: wire.CodeClosed}) {
		c.b.Log.Warn().Err(err).Msg("the extension did not reload itself")
	}
}
