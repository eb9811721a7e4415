package install

import "howett.net/plist"

func init() {
	unmarshalPlist = func(b []byte, v any) error {
		_, err := plist.Unmarshal(b, v)
		return err
	}
}
