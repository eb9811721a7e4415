package install

// registry is the Windows registry. Keys begin with HKCU\ or HKLM\. The error
// for a key that does not exist is fs.ErrNotExist.
type registry interface {
	// Values returns the values of a key by their names; "" is the default
	// value. A value is a string or a uint64; others are left out.
	Values(key string) (map[string]any, error)
	Subkeys(key string) ([]string, error)
	// SetDefault sets the default value of a key, and makes the key if it is
	// missing.
	SetDefault(key, value string) error
	// Delete removes a key that has no subkeys.
	Delete(key string) error
}
