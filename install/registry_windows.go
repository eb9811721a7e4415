package install

import (
	"fmt"
	"io/fs"
	"strings"

	winreg "golang.org/x/sys/windows/registry"
)

// windowsRegistry is the registry of this computer.
type windowsRegistry struct{}

func systemRegistry() registry { return windowsRegistry{} }

func rootOf(key string) (winreg.Key, string, error) {
	root, path, _ := strings.Cut(key, `\`)
	switch root {
	case "HKCU":
		return winreg.CURRENT_USER, path, nil
	case "HKLM":
		return winreg.LOCAL_MACHINE, path, nil
	}
	return 0, "", fmt.Errorf("%s is no key that is known here: %w", key, fs.ErrInvalid)
}

func openKey(key string, access uint32) (winreg.Key, error) {
	root, path, err := rootOf(key)
	if err != nil {
		return 0, err
	}
	k, err := winreg.OpenKey(root, path, access) // its ErrNotExist is fs.ErrNotExist too
	if err != nil {
		return 0, fmt.Errorf("open %s: %w", key, err)
	}
	return k, nil
}

func (windowsRegistry) Values(key string) (map[string]any, error) {
	k, err := openKey(key, winreg.QUERY_VALUE)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	names, err := k.ReadValueNames(-1)
	if err != nil {
		return nil, fmt.Errorf("list the values of %s: %w", key, err)
	}
	out := map[string]any{}
	for _, name := range names {
		switch _, kind, err := k.GetValue(name, nil); {
		case err != nil:
			return nil, fmt.Errorf("read %s of %s: %w", name, key, err)
		case kind == winreg.SZ || kind == winreg.EXPAND_SZ:
			out[name], _, err = k.GetStringValue(name)
			if err != nil {
				return nil, fmt.Errorf("read %s of %s: %w", name, key, err)
			}
		case kind == winreg.DWORD || kind == winreg.QWORD:
			out[name], _, err = k.GetIntegerValue(name)
			if err != nil {
				return nil, fmt.Errorf("read %s of %s: %w", name, key, err)
			}
		}
	}
	return out, nil
}

func (windowsRegistry) Subkeys(key string) ([]string, error) {
	k, err := openKey(key, winreg.ENUMERATE_SUB_KEYS)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	return k.ReadSubKeyNames(-1)
}

func (windowsRegistry) SetDefault(key, value string) error {
	root, path, err := rootOf(key)
	if err != nil {
		return err
	}
	k, _, err := winreg.CreateKey(root, path, winreg.SET_VALUE)
	if err != nil {
		return fmt.Errorf("make %s: %w", key, err)
	}
	defer k.Close()
	return k.SetStringValue("", value)
}

func (windowsRegistry) Delete(key string) error {
	root, path, err := rootOf(key)
	if err != nil {
		return err
	}
	return winreg.DeleteKey(root, path)
}
