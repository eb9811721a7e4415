package install

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"io"
	"os"
	"runtime"
)

// wrongMachine returns that a program is built for another system or processor,
// or that the file is no program. It returns nil if this computer can start it,
// or if that is not known.
func wrongMachine(path string) *phrase {
	f, err := os.Open(path)
	if err != nil {
		return nil // a program that can't be read may still be started
	}
	defer f.Close()
	var magic [4]byte
	n, err := io.ReadFull(f, magic[:])
	switch {
	case n >= 2 && string(magic[:2]) == "#!":
		return nil
	case err != nil:
		return &phrase{"no_program", "is no program"}
	}
	system, machine := builtFor(f, magic)
	switch {
	case system == "":
		return &phrase{"no_program", "is no program"}
	case machine == "" || machine == runtime.GOARCH && system == native():
		return nil
	}
	return &phrase{"wrong_machine", "is built for " + system + " on " + machine + ", and this is " + native() + " on " + runtime.GOARCH}
}

// native returns the format of this system's programs, by the name of a system
// that uses it.
func native() string {
	switch runtime.GOOS {
	case "darwin", "ios":
		return "macOS"
	case "windows":
		return "Windows"
	}
	return "Linux"
}

// builtFor reads the header of a program and returns the system, by the format,
// and the processor. The processor is empty if there are several or it is not
// known.
func builtFor(f io.ReaderAt, magic [4]byte) (system, machine string) {
	switch {
	case string(magic[:]) == elf.ELFMAG:
		e, err := elf.NewFile(f)
		if err != nil {
			return "", ""
		}
		return "Linux", map[elf.Machine]string{
			elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64", elf.EM_386: "386", elf.EM_ARM: "arm", elf.EM_RISCV: "riscv64",
		}[e.Machine]
	case string(magic[:2]) == "MZ":
		p, err := pe.NewFile(f)
		if err != nil {
			return "", ""
		}
		return "Windows", map[uint16]string{
			pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64", pe.IMAGE_FILE_MACHINE_I386: "386",
		}[p.Machine]
	}
	if _, err := macho.NewFatFile(f); err == nil {
		return "macOS", ""
	}
	if m, err := macho.NewFile(f); err == nil {
		return "macOS", map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}[m.Cpu]
	}
	return "", ""
}
