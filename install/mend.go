package install

import (
	"context"
	"fmt"
)

// Mend does about a fault what can be done without a user: MendManifest
// registers the program with every browser whose registration is missing or
// wrong, MendExtension writes the extension's folder. What is right stays as it
// is. The caller runs Doctor again to see what came of it.
func Mend(ctx context.Context, o Options, id string) error {
	o = o.withDefaults()
	if err := o.supported(); err != nil {
		return err
	}
	switch id {
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
	return fmt.Errorf("%q is nothing that can be mended here", id)
}

func (o Options) mendManifests(ctx context.Context) error {
	binary, err := o.checkBinary()
	if err != nil {
		return err
	}
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
