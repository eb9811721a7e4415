package install

import (
	"encoding/binary"
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
	at := func(offset int64, size int) []byte {
		b := make([]byte, size)
		if _, err := f.ReadAt(b, offset); err != nil {
			return nil
		}
		return b
	}
	little, big := binary.LittleEndian, binary.BigEndian
	switch magic := string(magic[:]); {
	case magic == "\x7fELF": // ELF-64 Object File Format: e_machine is at 18
		if head := at(0, 64); head != nil && head[5] == 1 {
			return "Linux", map[uint16]string{62: "amd64", 183: "arm64", 3: "386", 40: "arm", 243: "riscv64"}[little.Uint16(head[18:])]
		} else if head != nil && head[5] == 2 {
			return "Linux", "" // for big-endian processors we build nothing
		}
	case magic[:2] == "MZ": // PE Format: at 60 is the place of "PE\0\0", after which comes Machine
		if head := at(60, 4); head != nil {
			if pe := at(int64(little.Uint32(head)), 6); pe != nil && string(pe[:4]) == "PE\x00\x00" {
				return "Windows", map[uint16]string{0x8664: "amd64", 0xaa64: "arm64", 0x14c: "386"}[little.Uint16(pe[4:])]
			}
		}
	case magic == "\xca\xfe\xba\xbe": // mach-o/fat.h; a class of Java has its version, 45 or more, where nfat_arch is
		if head := at(4, 4); head != nil && big.Uint32(head) > 0 && big.Uint32(head) < 45 {
			return "macOS", ""
		}
	case magic == "\xcf\xfa\xed\xfe" || magic == "\xce\xfa\xed\xfe": // mach-o/loader.h: cputype comes next
		if head := at(0, 28); head != nil {
			return "macOS", map[uint32]string{0x1000007: "amd64", 0x100000c: "arm64"}[little.Uint32(head[4:])]
		}
	}
	return "", ""
}
