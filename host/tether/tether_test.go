//go:build linux

package tether

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// stubborn is a program that heeds no signal, with a child that does not
// either; it says both process ids.
const stubborn = `trap '' TERM INT HUP; (trap '' TERM INT HUP; while :; do sleep 60; done) & echo $$ $!; while :; do sleep 60; done`

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	end := time.After(10 * time.Second)
	look := time.NewTicker(5 * time.Millisecond) // nothing tells of the end of what is not our child
	defer look.Stop()
	for !done() {
		select {
		case <-look.C:
		case <-end:
			t.Fatalf("%s: not within 10 s", what)
		}
	}
}

func TestClose(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tie, err := New(`rm "$1"`, file)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", stubborn)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := tie.Start(cmd); err != nil {
		t.Fatal(err)
	}
	if !bufio.NewScanner(out).Scan() {
		t.Fatal("it said nothing")
	}
	tie.Terminate()
	if !living(tie.PID()) {
		t.Error("it heeds the signal; the test is none")
	}
	if err := tie.Close(); err != nil {
		t.Error(err)
	}
	<-tie.Done()
	if tie.Err() == nil || living(tie.PID()) {
		t.Errorf("after Close: %v, living %v", tie.Err(), living(tie.PID()))
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("the last script was run: %v", err)
	}
	if err := tie.Close(); err != nil {
		t.Error(err)
	}
	if err := tie.Start(exec.Command("true")); err == nil {
		t.Error("a second program was started")
	}
}

// TestNotStarted: the name of no program leaves a tether that closes.
func TestNotStarted(t *testing.T) {
	tie, err := New("")
	if err != nil {
		t.Fatal(err)
	}
	if err := tie.Start(exec.Command("/no/such/program")); err == nil {
		t.Error("started what is not there")
	}
	<-tie.Done()
	if err := tie.Close(); err != nil {
		t.Error(err)
	}
}

// TestLeaderEnds: what a program leaves in its group ends with it.
func TestLeaderEnds(t *testing.T) {
	tie, err := New("")
	if err != nil {
		t.Fatal(err)
	}
	if err := tie.Start(exec.Command("sh", "-c", "sleep 60 & exit 3")); err != nil {
		t.Fatal(err)
	}
	<-tie.Done()
	if living(tie.PID()) {
		t.Error("its child lives")
	}
	if err := tie.Close(); err != nil {
		t.Error(err)
	}
}

// TestOwnerKilled kills the process that holds the tether, with its whole
// process group, as a terminal or a supervisor does.
func TestOwnerKilled(t *testing.T) {
	if file := os.Getenv("TETHER_TEST_FILE"); file != "" {
		// The script fails twice before it succeeds.
		tie, err := New(`echo x >>"$1.n"; [ "$(wc -l <"$1.n")" -ge 3 ] && rm "$1" "$1.n"`, file)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("sh", "-c", stubborn)
		cmd.Stdout = os.Stdout
		if err := tie.Start(cmd); err != nil {
			t.Fatal(err)
		}
		select {} // until killed
	}
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	owner, err := New("")
	if err != nil {
		t.Fatal(err)
	}
	self := exec.Command(os.Args[0], "-test.run=^TestOwnerKilled$")
	self.Env = append(os.Environ(), "TETHER_TEST_FILE="+file)
	out, err := self.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(self); err != nil {
		t.Fatal(err)
	}
	var group, child string
	lines := bufio.NewScanner(out)
	lines.Split(bufio.ScanWords)
	for _, p := range []*string{&group, &child} {
		if !lines.Scan() {
			t.Fatal("it said nothing")
		}
		*p = lines.Text()
	}
	if err := owner.Close(); err != nil {
		t.Error(err)
	}
	id, err := strconv.Atoi(group)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the end of the group of "+group+" and "+child, func() bool { return !living(id) })
	until(t, "the last script", func() bool {
		left, err := filepath.Glob(file + "*")
		return err == nil && len(left) == 0
	})
}
