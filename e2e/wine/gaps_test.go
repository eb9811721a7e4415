package wine

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Wine 8, which Debian has, lacks three things that a Go program and go-winio use
// on Windows. The build under test differs from a release in the last two.

// writeForwarder writes bcryptprimitives.dll, which Go's runtime loads, as a
// library whose one export is forwarded to the same function of advapi32.
func writeForwarder(path string) error {
	const at, fileAt, align = 0x1000, 0x200, 0x200
	le := binary.LittleEndian
	var names, section bytes.Buffer
	put := func(b *bytes.Buffer, values ...any) {
		for _, v := range values {
			_ = binary.Write(b, le, v) // a buffer takes all
		}
	}
	name := func(s string) uint32 {
		here := at + 40 + 12 + names.Len()
		names.WriteString(s + "\x00")
		return uint32(here)
	}
	file, export, forward := name("bcryptprimitives.dll"), name("ProcessPrng"), name("advapi32.SystemFunction036")
	put(&section, [3]uint32{}, file, [3]uint32{1, 1, 1}, [3]uint32{at + 40, at + 44, at + 48}) // the export directory
	put(&section, forward, export, uint32(0))                                                  // address, name, ordinal
	section.Write(names.Bytes())

	var b bytes.Buffer
	b.WriteString("MZ")
	b.Write(make([]byte, 0x3c-b.Len()))
	put(&b, uint32(0x40), []byte("PE\x00\x00"))
	put(&b, uint16(0x8664), uint16(1), [3]uint32{}, uint16(240), uint16(0x2022)) // x86-64, one section, a DLL
	put(&b, uint16(0x20b), uint16(0), [3]uint32{0, align, 0}, [2]uint32{0, at})  // 64 bits, no code
	put(&b, uint64(0x180000000), [2]uint32{0x1000, align}, [6]uint16{6, 0, 0, 0, 6, 0}, [4]uint32{0, 0x2000, fileAt, 0})
	put(&b, uint16(3), uint16(0x100), [4]uint64{1 << 20, 1 << 12, 1 << 20, 1 << 12}, [2]uint32{0, 16})
	put(&b, [2]uint32{at, uint32(section.Len())}, make([]byte, 15*8))
	put(&b, []byte(".rdata\x00\x00"), [4]uint32{uint32(section.Len()), at, align, fileAt}, [3]uint32{}, uint32(0x40000040))
	b.Write(make([]byte, fileAt-b.Len()))
	b.Write(section.Bytes())
	b.Write(make([]byte, fileAt+align-b.Len()))
	return os.WriteFile(path, b.Bytes(), 0o600)
}

// buildFlags are for a build whose two libraries know of what Wine lacks:
//
//   - NtSetInformationFile knows no FileDispositionInformationEx, and says so by a
//     status that Go's os.RemoveAll does not take for a reason to go without.
//   - The first instance of a pipe, with which go-winio holds the name, takes a
//     client although it is open for neither reading nor writing. One is given to it.
func buildFlags(t *testing.T, dir string) []string {
	t.Helper()
	goroot, winio := strings.TrimSpace(goOut(t, "env", "GOROOT")), strings.TrimSpace(goOut(t, "list", "-m", "-f", "{{.Dir}}", "github.com/Microsoft/go-winio"))
	edit := func(from, to, old, fresh string) {
		t.Helper()
		b, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(b), old) != 1 {
			t.Fatalf("%s has changed: it has not %q once", from, old)
		}
		must(t, os.MkdirAll(filepath.Dir(to), 0o700))
		must(t, os.WriteFile(to, []byte(strings.Replace(string(b), old, fresh, 1)), 0o600))
	}
	std := filepath.Join(goroot, "src", "internal", "syscall", "windows", "at_windows.go")
	edit(std, filepath.Join(dir, "at_windows.go"), "\t\tSTATUS_NOT_SUPPORTED:", "\t\tNTStatus(0xC0000002), STATUS_NOT_SUPPORTED:")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{std: filepath.Join(dir, "at_windows.go")}})
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600))

	copied := filepath.Join(dir, "go-winio")
	must(t, os.CopyFS(copied, os.DirFS(winio)))
	must(t, os.Chmod(filepath.Join(copied, "pipe.go"), 0o600))
	const first = "\th, err := makeServerPipeHandle(path, sd, c, true)\n"
	edit(filepath.Join(winio, "pipe.go"), filepath.Join(copied, "pipe.go"), first, first+`
	if name, err := windows.UTF16PtrFromString(path); err == nil {
		if c, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE, 0, nil, windows.OPEN_EXISTING, 0, 0); err == nil {
			_ = windows.CloseHandle(c)
		}
	}
`)
	edit(filepath.Join(root, "go.mod"), filepath.Join(dir, "go.mod"), "module tabwright\n",
		"module tabwright\n\nreplace github.com/Microsoft/go-winio => "+copied+"\n")
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600))
	return []string{"-modfile=" + filepath.Join(dir, "go.mod"), "-overlay=" + filepath.Join(dir, "overlay.json")}
}

// goOut runs the go command at the root of the module.
func goOut(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
