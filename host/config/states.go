package config

import (
	"errors"
	"os"
	"strings"
)

// Source is where a setting's value comes from.
type Source string

// The sources, the strongest first.
const (
	FromFlag    Source = "flag"
	FromEnv     Source = "env"
	FromFile    Source = "file"
	FromDefault Source = "default"
)

// State is a setting as it stands.
type State struct {
	Setting
	Value   string // as it would be written; empty where nobody says anything
	Default string
	Source  Source
}

// Fixed reports that a change in the file would change nothing.
func (s State) Fixed() bool { return s.Source == FromFlag || s.Source == FromEnv }

// States gives all settings as they stand, in the order to show them, with what
// may be secret left out. The error is that of Load.
func States(o Overrides) ([]State, error) {
	c, err := Load(o)
	if err != nil {
		return nil, err
	}
	inFile, err := written(o.path())
	if err != nil {
		return nil, err
	}
	out := make([]State, 0, len(settings))
	for _, s := range settings {
		st := State{Setting: s, Value: s.get(c), Default: s.get(Default()), Source: FromDefault}
		_, byEnv := o.lookup()(s.Env())
		_, byFlag := o.Flags[s.Name]
		switch {
		case byFlag:
			st.Source = FromFlag
		case byEnv:
			st.Source = FromEnv
		case inFile[s.Name]:
			st.Source = FromFile
		}
		if s.shown != nil {
			st.Value = s.shown(st.Value)
		}
		out = append(out, st)
	}
	return out, nil
}

// written gives the names of the settings that the file has a value for.
func written(path string) (map[string]bool, error) {
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, &Error{Source: path, Message: "can't be read", Err: err}
	}
	root, err := document(b, path)
	if err != nil || root == nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, s := range settings {
		at := root
		for part := range strings.SplitSeq(s.Name, ".") {
			if at = entry(at, part); at == nil {
				break
			}
		}
		out[s.Name] = at != nil && !isNull(at)
	}
	return out, nil
}

// ChangeError is a change of a setting that was refused.
type ChangeError struct {
	Name string
	Err  error
}

// Error gives the setting's name and what is wrong.
func (e *ChangeError) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *ChangeError) Unwrap() error { return e.Err }

// Change keeps settings in the file as Save does, after all of them have been
// checked: with one that is wrong nothing is written, and the error joins a
// ChangeError for each. One that a flag or the environment has is refused,
// since the file would not change it.
func Change(o Overrides, changes map[string]string) error {
	var errs []error
	scratch, was := Default(), Default()
	if b, err := os.ReadFile(o.path()); err == nil {
		_ = parse(b, o.path(), &was) // Save says what is wrong with the file
	}
	for _, name := range sorted(changes) {
		s, ok := settingNamed(name)
		if !ok {
			errs = append(errs, &ChangeError{name, errors.New(unknownSetting(name, settings))})
			continue
		}
		if _, ok := o.Flags[name]; ok {
			errs = append(errs, &ChangeError{name, wrong("by_flag", "a flag of the command line has it; the file would change nothing")})
			continue
		}
		if _, ok := o.lookup()(s.Env()); ok {
			errs = append(errs, &ChangeError{name, wrong("by_env", "the variable %s has it; the file would change nothing", s.Env())})
			continue
		}
		if v := changes[name]; v != "" {
			err := s.set(&scratch, v)
			if err == nil && s.fresh != nil {
				err = s.fresh(was, scratch)
			}
			if err != nil {
				errs = append(errs, &ChangeError{name, err})
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return Save(o.path(), changes)
}

// headerNames are headers with their values hidden: a key may stand in one.
func headerNames(v string) string {
	if v == "" {
		return ""
	}
	var out []string
	for part := range strings.SplitSeq(v, ";") {
		name, _, _ := strings.Cut(part, ":")
		out = append(out, strings.TrimSpace(name)+": "+hidden)
	}
	return strings.Join(out, "; ")
}

// CheckSetting refuses a name that is no setting's, with what was perhaps meant.
func CheckSetting(name string) error {
	if _, ok := settingNamed(name); !ok {
		return errors.New(unknownSetting(name, settings))
	}
	return nil
}
