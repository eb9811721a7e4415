package install

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// BrokerProbe asks the running broker what is connected to it. The CLI
// implements it.
type BrokerProbe interface {
	// Status does not start a broker. Its error is ErrNoBroker if none runs.
	Status(ctx context.Context) (BrokerStatus, error)
	// TryAttach has the extension of a relay open a tab, attach the debugger to
	// it and detach it again.
	TryAttach(ctx context.Context, profile string) error
	// Reload has the connected extensions reload themselves, and waits until
	// they are back.
	Reload(ctx context.Context) error
	// Stop ends the broker, unless a task runs.
	Stop(ctx context.Context) error
}

// ErrNoBroker says that no broker runs. None does until a browser with the
// extension starts.
var ErrNoBroker = errors.New("no broker is running")

// BrokerStatus is what the broker reports about itself.
type BrokerStatus struct {
	PID     int
	Version string
	Socket  string
	Binary  string // the program the broker runs as
	Relays  []Relay
}

// Relay is one browser profile connected to the broker.
type Relay struct {
	Browser          string // name and version
	Profile          string
	ExtensionID      string
	ExtensionVersion string
	ShimPID          int
	ShimPath         string // the program that Chrome really started; empty if not known
	PingErr          error  // the error of a ping to the service worker
}

// ModelProbe asks whether the configured model can be reached.
type ModelProbe interface {
	Probe(ctx context.Context) (ModelStatus, error)
}

// ModelStatus is what a model server answered.
type ModelStatus struct {
	Provider string
	URL      string
	Model    string   // the model that is used; empty if there is none
	First    bool     // no model is configured, and Model is used by default
	Models   []string // those that the server offers; nil if it does not tell
	Hint     string   // what to do if there are none, or Probe fails
	Command  string   // what Hint says as a line for a shell, if there is one
	NoTools  bool     // Model can't call tools
}

// doctorBroker checks the running parts of the chain. It also returns the
// status, since a connected relay is the best proof that the extension is
// loaded.
func (o Options) doctorBroker(ctx context.Context) (BrokerStatus, []Check) {
	const id, name = "broker", "Broker"
	if o.Broker == nil {
		return BrokerStatus{}, nil
	}
	st, err := o.Broker.Status(ctx)
	var fault *Fault
	switch {
	case errors.Is(err, ErrNoBroker):
		return st, []Check{warn(id, name, "none is running", "open the side panel in the browser; the extension starts one").as("none")}
	case errors.As(err, &fault):
		return st, []Check{fault.Check(id, name)}
	case err != nil:
		return st, []Check{fail(id, name, err.Error(), "close the browser, run tabwright doctor again, and look into the log (tabwright logs) if that does not help").as("error", err.Error())}
	}
	c := pass(id, name, fmt.Sprintf("process %d, version %s, %s", st.PID, st.Version, st.Socket)).as("ok", strconv.Itoa(st.PID), st.Version, st.Socket)
	if st.Binary != "" && o.Binary != "" && !sameFile(st.Binary, o.Binary) {
		c = warn(id, name, fmt.Sprintf("process %d runs another copy of the program: %s", st.PID, st.Binary), "when no task runs: tabwright broker stop, then open the panel again").as("other_copy", strconv.Itoa(st.PID), st.Binary).command("tabwright broker stop").mendable(MendRestart)
	}
	if v := o.extensionVersion(); v != "" && st.Version != "" && st.Version != v {
		c = warn(id, name, fmt.Sprintf("process %d is of version %s, and this program of %s", st.PID, st.Version, v), "when no task runs: tabwright broker stop, then open the panel again").as("other_version", strconv.Itoa(st.PID), st.Version, v).command("tabwright broker stop").mendable(MendRestart)
	}
	checks := []Check{c}
	if len(st.Relays) == 0 {
		return st, append(checks, fail("relay", "Connected browsers", "none; the extension is not loaded, is switched off, or could not start the program", "look at Tabwright in chrome://extensions: loaded from "+o.source()+", switched on, no errors").as("none", o.source()))
	}
	for i, r := range st.Relays {
		checks = append(checks, o.doctorRelay(ctx, i, r))
	}
	return st, checks
}

func (o Options) doctorRelay(ctx context.Context, i int, r Relay) Check {
	id := fmt.Sprintf("relay.%d", i+1)
	name := "Connected: " + orNone(r.Browser)
	if r.Profile != "" {
		name += ", profile " + r.Profile
	}
	// Only an extension that is loaded from a folder has a reload arrow.
	again, store := "click the reload arrow of Tabwright in chrome://extensions", r.ExtensionID != o.ExtensionID
	if store {
		again = "switch Tabwright off and on again in chrome://extensions"
	}
	switch {
	case !slices.Contains(o.ids(), r.ExtensionID):
		return fail(id, name, fmt.Sprintf("its extension has the id %s instead of %s", orNone(r.ExtensionID), strings.Join(o.ids(), " or ")), "remove it in chrome://extensions; "+o.loading()).as("other_id", orNone(r.ExtensionID), o.source())
	case r.ShimPath != "" && o.Binary != "" && !sameFile(r.ShimPath, o.Binary):
		return fail(id, name, fmt.Sprintf("the browser started another copy of the program: %s (process %d)", r.ShimPath, r.ShimPID), reinstall+", then "+again).as("other_copy", r.ShimPath)
	case r.PingErr != nil:
		return fail(id, name, fmt.Sprintf("the service worker does not answer: %v", r.PingErr), again).as("silent", r.PingErr.Error())
	}
	want := o.extensionVersion()
	differs := want != "" && r.ExtensionVersion != want
	if differs && !store {
		return fail(id, name, fmt.Sprintf("the extension running there has version %s, the program has %s", orNone(r.ExtensionVersion), want), again).as("other_version", orNone(r.ExtensionVersion), want).mendable(MendReload)
	}
	if err := o.Broker.TryAttach(ctx, r.Profile); err != nil {
		return fail(id, name, fmt.Sprintf("the extension could not attach to a tab: %v", err), "close other debuggers of the browser; "+again).as("no_attach", err.Error())
	}
	if differs {
		// They speak with each other, and the store is at times behind, at times ahead.
		detail := fmt.Sprintf("the extension of the Web Store has version %s, the program has %s", orNone(r.ExtensionVersion), want)
		const hint = "update both: tabwright update; Chrome updates the extension by itself, and at once if you switch on Developer mode in chrome://extensions and click “Update”"
		return warn(id, name, detail, hint).as("store_version", orNone(r.ExtensionVersion), want).command("tabwright update")
	}
	detail := "extension " + orNone(r.ExtensionVersion)
	if r.ShimPath != "" {
		detail += fmt.Sprintf(", started %s (process %d)", r.ShimPath, r.ShimPID)
	}
	return pass(id, name, detail+", answers and attaches to tabs").as("ok", orNone(r.ExtensionVersion))
}

// source is where a user gets the extension: the Web Store, or the folder of Install.
func (o Options) source() string {
	if o.StoreID != "" {
		return storePage + o.StoreID
	}
	return o.ExtensionDir()
}

// loading is how a user gets it from there.
func (o Options) loading() string {
	if o.StoreID != "" {
		return "open " + o.source() + " and click “Add to Chrome”"
	}
	return "open chrome://extensions, switch on Developer mode, click “Load unpacked” and choose " + o.source()
}

func (o Options) extensionVersion() string {
	if o.Extension == nil {
		return ""
	}
	m, err := readExtManifest(o.Extension)
	if err != nil {
		return ""
	}
	return m.version()
}

// doctorLoaded checks in each browser's preferences that the extension is
// loaded, and from the folder that Install keeps current.
func (o Options) doctorLoaded(ps []place, st BrokerStatus) []Check {
	dir, where, load := o.ExtensionDir(), o.source(), o.loading()
	var out []Check
	anywhere := false
	var missing []string
	for _, p := range ps {
		if !p.found {
			continue
		}
		ls := loaded(p.dir, o.ids())
		if len(ls) == 0 {
			missing = append(missing, p.Name)
			continue
		}
		anywhere = true
		for _, l := range ls {
			id, name := "loaded."+p.ID, fmt.Sprintf("Extension in %s, profile %s", p.Name, l.profile)
			switch {
			case l.id == o.ExtensionID && !sameFile(l.path, dir): // one of a store lies where the browser keeps it
				out = append(out, fail(id, name, fmt.Sprintf("loaded from %s, which install does not keep current", l.path), "remove it there; "+load).as("other_folder", l.path, where))
			case l.disabled:
				said := offWords[l.why]
				out = append(out, fail(id, name, said[0], said[1]).as(l.why))
			default:
				out = append(out, pass(id, name, "loaded").as("ok"))
			}
		}
	}
	connected := slices.ContainsFunc(st.Relays, func(r Relay) bool { return slices.Contains(o.ids(), r.ExtensionID) })
	if !anywhere && !connected && len(missing) > 0 {
		out = append(out, fail("loaded", "Extension in the browser", "loaded in no profile of "+strings.Join(missing, ", ")+" (a browser may need some seconds to record it)", load).as("none", strings.Join(missing, ", "), where))
	}
	return out
}

// offWords are why an extension is off, and what to do.
var offWords = map[string][2]string{
	"off":                   {"switched off", "switch it on in chrome://extensions"},
	"off_by_policy":         {"switched off by a policy of this computer", "ask your administrator to allow it"},
	"off_by_developer_mode": {"switched off because Developer mode is off", "switch on Developer mode in chrome://extensions"},
	"off_damaged":           {"switched off because the browser found its files damaged", "click “Repair” in chrome://extensions; where there is no such button, remove the extension and add it again"},
}

// ModelCheck returns doctor's check of the model alone, and false if o has no
// ModelProbe.
func ModelCheck(ctx context.Context, o Options) (Check, bool) { return o.doctorModel(ctx) }

func (o Options) doctorModel(ctx context.Context) (Check, bool) {
	const id, name = "model", "Model"
	if o.Model == nil {
		return Check{}, false
	}
	st, err := o.Model.Probe(ctx)
	where := st.Provider
	if st.URL != "" {
		where += " at " + st.URL
	}
	var fault *Fault
	switch {
	case errors.As(err, &fault):
		return fault.Check(id, name), true
	case err != nil:
		return fail(id, name, fmt.Sprintf("%s: %v", where, err), st.Hint).as("error", where, err.Error()), true
	case st.Models != nil && len(st.Models) == 0:
		return fail(id, name, where+" answers but offers no model", st.Hint).as("empty", where).command(st.Command), true
	case st.Model == "":
		return warn(id, name, fmt.Sprintf("%s answers; no model is chosen yet (it offers: %s)", where, strings.Join(st.Models, ", ")), "choose one in the panel, or set model in the configuration").as("not_chosen", where, strings.Join(st.Models, ", ")), true
	case st.Models != nil && !slices.Contains(st.Models, st.Model):
		return fail(id, name, fmt.Sprintf("%s answers but does not offer %s (it offers: %s)", where, st.Model, strings.Join(st.Models, ", ")), st.Hint).as("not_offered", where, st.Model, strings.Join(st.Models, ", ")).command(st.Command), true
	}
	if st.NoTools {
		return warn(id, name, fmt.Sprintf("%s, %s, can't call tools; it writes its acts as text, which goes wrong more often", st.Model, where), "choose one that can, if there is one: tabwright models lists what each can do").as("no_tools", st.Model, where).command("tabwright models"), true
	}
	if st.First {
		return pass(id, name, fmt.Sprintf("%s, %s; none is set, and it fits best of those on offer", st.Model, where)).as("first", st.Model, where), true
	}
	return pass(id, name, fmt.Sprintf("%s, %s", st.Model, where)).as("ok", st.Model, where), true
}
