package install

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/binary"
	"os"
	"testing"
)

// header writes a struct as a program of its system has it.
func header(order binary.ByteOrder, parts ...any) []byte {
	var b bytes.Buffer
	for _, part := range parts {
		if err := binary.Write(&b, order, part); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

func elfHeader(m elf.Machine, data elf.Data, order binary.ByteOrder) []byte {
	h := elf.Header64{Machine: uint16(m)}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_DATA] = byte(data)
	return header(order, h)
}

func peHeader(machine uint16) []byte {
	return header(binary.LittleEndian, []byte("MZ"), [58]byte{}, uint32(64), []byte("PE\x00\x00"), pe.FileHeader{Machine: machine})
}

func TestBuiltFor(t *testing.T) {
	little, big := binary.LittleEndian, binary.BigEndian
	for name, c := range map[string]struct {
		file            []byte
		system, machine string
	}{
		"ELF, amd64":      {elfHeader(elf.EM_X86_64, elf.ELFDATA2LSB, little), "Linux", "amd64"},
		"ELF, arm64":      {elfHeader(elf.EM_AARCH64, elf.ELFDATA2LSB, little), "Linux", "arm64"},
		"ELF, 386":        {elfHeader(elf.EM_386, elf.ELFDATA2LSB, little), "Linux", "386"},
		"ELF, arm":        {elfHeader(elf.EM_ARM, elf.ELFDATA2LSB, little), "Linux", "arm"},
		"ELF, riscv64":    {elfHeader(elf.EM_RISCV, elf.ELFDATA2LSB, little), "Linux", "riscv64"},
		"ELF, big-endian": {elfHeader(elf.EM_S390, elf.ELFDATA2MSB, big), "Linux", ""},
		"ELF, cut off":    {elfHeader(elf.EM_X86_64, elf.ELFDATA2LSB, little)[:40], "", ""},
		"PE, amd64":       {peHeader(pe.IMAGE_FILE_MACHINE_AMD64), "Windows", "amd64"},
		"PE, arm64":       {peHeader(pe.IMAGE_FILE_MACHINE_ARM64), "Windows", "arm64"},
		"PE, 386":         {peHeader(pe.IMAGE_FILE_MACHINE_I386), "Windows", "386"},
		"PE, ia64":        {peHeader(pe.IMAGE_FILE_MACHINE_IA64), "Windows", ""},
		"DOS":             {header(little, []byte("MZ"), [62]byte{}), "", ""},
		"Mach-O, amd64":   {header(little, macho.FileHeader{Magic: macho.Magic64, Cpu: macho.CpuAmd64}), "macOS", "amd64"},
		"Mach-O, arm64":   {header(little, macho.FileHeader{Magic: macho.Magic64, Cpu: macho.CpuArm64}), "macOS", "arm64"},
		"Mach-O, 386":     {header(little, macho.FileHeader{Magic: macho.Magic32, Cpu: macho.Cpu386}), "macOS", ""},
		"Mach-O, several": {header(big, macho.MagicFat, uint32(2)), "macOS", ""},
		"a class of Java": {header(big, macho.MagicFat, uint32(61)), "", ""},
		"text":            {[]byte("hello, this is no program at all"), "", ""},
	} {
		if system, machine := builtFor(bytes.NewReader(c.file), [4]byte(c.file)); system != c.system || machine != c.machine {
			t.Errorf("%s: %q, %q", name, system, machine)
		}
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if said := wrongMachine(own); said != nil {
		t.Errorf("this test: %v", said)
	}
}
