//go:build !windows

package install

func systemRegistry() registry { return nil }
