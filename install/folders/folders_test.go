package folders

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

func TestFoldersOfEachSystem(t *testing.T) {
	home := filepath.FromSlash("/home/Zoë Müller")
	at := func(p string) string { return filepath.Join(home, filepath.FromSlash(p)) }
	for _, c := range []struct {
		name, os string
		env      map[string]string
		want     Set
	}{
		{"linux", "linux", nil, Set{
			Home: home, Config: at(".config"), Data: at(".local/share"), State: at(".local/state"), Cache: at(".cache"),
			Runtime: filepath.Join("/run/user", strconv.Itoa(os.Getuid())),
		}},
		{"linux with variables", "linux", map[string]string{
			"XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "relative", "XDG_RUNTIME_DIR": "/r",
		}, Set{Home: home, Config: "/c", Data: at(".local/share"), State: at(".local/state"), Cache: at(".cache"), Runtime: "/r"}},
		{"macOS disregards them", "darwin", map[string]string{"XDG_CONFIG_HOME": "/c", "XDG_RUNTIME_DIR": "/r"}, Set{
			Home: home, Config: at("Library/Application Support"), Data: at("Library/Application Support"),
			State: at("Library/Application Support"), Cache: at("Library/Caches"),
		}},
		{"windows", "windows", map[string]string{"XDG_CONFIG_HOME": "/c"}, Set{
			Home: home, Config: at("AppData/Roaming"), Data: at("AppData/Local"), State: at("AppData/Local"), Cache: at("AppData/Local"),
		}},
		{"windows with folders that were moved", "windows", map[string]string{"AppData": `D:\r`, "LocalAppData": `D:\l`}, Set{
			Home: home, Config: `D:\r`, Data: `D:\l`, State: `D:\l`, Cache: `D:\l`,
		}},
	} {
		c.want.goos = c.os
		got := Of(c.os, home, func(k string) string { return c.env[k] })
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		for _, usable := range []bool{true, false} {
			want := filepath.Join(c.want.Cache, "tabwright")
			switch {
			case c.os == "windows":
				want = filepath.Join(c.want.Data, "tabwright", "run")
			case c.os == "linux" && usable:
				want = filepath.Join(c.want.Runtime, "tabwright")
			}
			if dir := got.Sockets(func(string) bool { return usable }); dir != want {
				t.Errorf("%s: sockets in %s, want %s", c.name, dir, want)
			}
		}
	}
}
