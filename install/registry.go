package install

// registry is what is needed of the Windows registry. Keys begin with HKCU\ or
// HKLM\. A key that is not there is fs.ErrNotExist.
type registry interface {
	// Values gives the values of a key by their names; "" is its default value.
	// A value is a string or a uint64; others are left out.
	Values(key string) (map[string]any, error)
	Subkeys(key string) ([]string, error)
	// SetDefault makes the key, where it is missing, and sets its default value.
	SetDefault(key, value string) error
	// Delete removes a key that has no subkeys.
	Delete(key string) error
}
