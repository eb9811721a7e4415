package install

import (
	"context"
	"fmt"
	"os"
)

// Mend does a repair that needs no user. MendManifest registers the program
// with every browser whose registration is missing or wrong, MendExtension
// writes the extension's folder, MendProgram corrects the permissions of the
// program's file, MendStrays sets aside copies of our manifest, MendReload
// reloads the extensions and MendRestart stops the broker. The caller runs
// Doctor again to see the result.
func Mend(ctx context.Context, o Options, id string) error {
	o = o.withDefaults()
	if err := o.supported(); err != nil {
		return err
	}
	switch id {
	case MendReload, MendRestart:
		if o.Broker == nil {
			return ErrNoBroker
		}
		if id == MendReload {
			return o.Broker.Reload(ctx)
		}
		return o.Broker.Stop(ctx)
	case MendProgram:
		st, err := os.Stat(o.Binary)
		if err == nil {
			err = os.Chmod(o.Binary, st.Mode().Perm()&^0o022|0o500)
		}
		if err != nil {
			return wrapWrite("change the rights of the program", err)
		}
		return nil
	case MendStrays:
		return o.mendStrays()
	case MendManifest:
		return o.mendManifests(ctx)
	case MendExtension:
		if err := o.checkExtension(&Report{}); err != nil {
			return err
		}
		if _, err := WriteExtension(o.ExtensionDir(), o.Extension); err != nil {
			return wrapWrite("write the extension to "+o.ExtensionDir(), err)
		}
		return nil
	}
	return fmt.Errorf("%q is nothing that can be fixed here", id)
}

func (o Options) mendStrays() error {
	ps, err := o.registrations()
	if err != nil {
		return err
	}
	for _, c := range o.doctorDuplicates(ps) {
		if c.Mend == MendStrays {
			if _, err := SetAside(c.Args[0]); err != nil {
				return wrapWrite("set the copy aside", err)
			}
		}
	}
	return nil
}

func (o Options) mendManifests(ctx context.Context) error {
	binary, err := o.checkBinary()
	if err != nil {
		return err
	}
	o.Binary = binary
	ps, err := o.registrations()
	if err != nil {
		return err
	}
	for _, p := range ps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !p.found {
			continue
		}
		if o.doctorRegistration(p).OK {
			continue
		}
		if _, err := o.register(p, binary); err != nil {
			return wrapWrite("register with "+p.Name, err)
		}
	}
	return nil
}
