package selfupdate

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Owner is the package manager that installed a program, and the command that
// updates the program.
type Owner struct {
	Name    string `json:"name"`
	Command string `json:"command"`
}

// askOwner bounds the wait for a package database.
const askOwner = 10 * time.Second

// byPath are the package managers that have programs in folders of their own, by a
// part of the path.
var byPath = []struct {
	part  string
	owner Owner
}{
	{"/_npx/", Owner{"npm", "npx tabwright@latest install"}},
	{"/node_modules/", Owner{"npm", "npm install -g tabwright@latest"}},
	{"/caskroom/", Owner{"Homebrew", "brew upgrade --cask tabwright"}},
	{"/cellar/", Owner{"Homebrew", "brew upgrade tabwright"}},
	{"/scoop/apps/", Owner{"Scoop", "scoop update tabwright"}},
	{"/winget/packages/", Owner{"winget", "winget upgrade Tabwright.Tabwright"}},
	{"/nix/store/", Owner{"Nix", "nix profile upgrade tabwright"}},
}

// byDatabase are the package managers that must be asked whether a file is theirs.
var byDatabase = []struct {
	ask   []string
	owner Owner
}{
	{[]string{"dpkg", "-S"}, Owner{"dpkg", "sudo apt install ./tabwright_VERSION_ARCH.deb"}},
	{[]string{"rpm", "-qf"}, Owner{"rpm", "sudo dnf install ./tabwright-VERSION.ARCH.rpm"}},
}

// OwnerOf returns the package manager that a program belongs to, and false if there
// is none.
func OwnerOf(ctx context.Context, program string) (Owner, bool) {
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	slashed := strings.ToLower(strings.ReplaceAll(program, `\`, "/"))
	for _, m := range byPath {
		if strings.Contains(slashed, m.part) {
			return m.owner, true
		}
	}
	ctx, cancel := context.WithTimeout(ctx, askOwner)
	defer cancel()
	for _, m := range byDatabase {
		ask, err := exec.LookPath(m.ask[0])
		if err != nil {
			continue
		}
		if exec.CommandContext(ctx, ask, append(m.ask[1:], program)...).Run() == nil { //nolint:gosec // the program's own path
			return m.owner, true
		}
	}
	return Owner{}, false
}
