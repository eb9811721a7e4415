package serve

import (
	"errors"

	"tabwright/host/config"
	"tabwright/host/vault"
	"tabwright/llm"
)

// ForgetSecrets takes every key and secret of Tabwright out of the keyring and the
// files beside it. What can't be read there is left to who removes the files.
func ForgetSecrets() error {
	var errs []error
	v := vault.Open("")
	if list, err := v.List(); err == nil {
		for _, s := range list {
			errs = append(errs, v.Delete(s.Name))
		}
	}
	keys := config.OpenKeys("")
	for _, p := range llm.Providers() {
		if _, err := keys.Get(p); err == nil {
			errs = append(errs, keys.Delete(p))
		}
	}
	return errors.Join(errs...)
}
