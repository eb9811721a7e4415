package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// peer is another agent, driven by a program that does one task and prints how that
// ended as its last line of standard output.
type peer struct {
	command []string
	version string
	model   model
}

// newPeer makes a peer of a Python program, and has it install what it needs. The
// model's server has to be named: the peer does not know Tabwright's settings.
func newPeer(ctx context.Context, script string, m model) (*peer, error) {
	if m.baseURL == "" && m.provider == "ollama" {
		m.baseURL = "http://127.0.0.1:11434"
	}
	if m.baseURL == "" {
		return nil, errors.New("-agent browser-use needs -base-url")
	}
	sum, err := checksum(script)
	if err != nil {
		return nil, err
	}
	setup := exec.CommandContext(ctx, "python3", script, "--setup")
	setup.Stdout, setup.Stderr = os.Stderr, os.Stderr
	if err := setup.Run(); err != nil {
		return nil, fmt.Errorf("%s --setup: %w", script, err)
	}
	version, err := exec.CommandContext(ctx, "python3", script, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("%s --version: %w", script, err)
	}
	return &peer{command: []string{"python3", script}, version: strings.TrimSpace(string(version)) + "+" + sum, model: m}, nil
}

func (p *peer) Name() string    { return "browser-use" }
func (p *peer) Version() string { return p.version }
func (p *peer) Set() string     { return "" }

// report is a peer's last line.
type report struct {
	Answer    string  `json:"answer"`
	Done      bool    `json:"done"`
	Steps     int     `json:"steps"`
	TokensIn  int     `json:"tokens_in"`
	TokensOut int     `json:"tokens_out"`
	Seconds   float64 `json:"seconds"`
	Unread    int     `json:"unread"`
	Error     string  `json:"error"`
}

// slack is how much longer than its own limit a peer may take to start and to end.
const slack = 30 * time.Second

func (p *peer) Do(ctx context.Context, j job) (outcome, error) {
	dir, err := os.MkdirTemp("", "tw-eval-")
	if err != nil {
		return outcome{}, err
	}
	defer os.RemoveAll(dir)
	args := append(p.command[1:len(p.command):len(p.command)],
		"--task", j.text, "--url", j.url, "--base-url", p.model.baseURL, "--model", p.model.name,
		"--max-steps", strconv.Itoa(j.maxSteps), "--timeout", strconv.Itoa(int(j.maxTime.Seconds())))
	cmd := command(p.command[0], args...)
	ended, err := runProgram(ctx, cmd, dir, j.maxTime+slack)
	if err != nil {
		return outcome{}, err
	}
	o := outcome{transcript: map[string][]byte{".log": ended.log, ".json": ended.out}}
	lines := bytes.Split(bytes.TrimSpace(ended.out), []byte("\n"))
	var r report
	if err := json.Unmarshal(lines[len(lines)-1], &r); err != nil {
		if ended.late {
			o.end, o.Seconds = endTime, ended.took.Seconds()
			return o, nil
		}
		return o, fmt.Errorf("%s ended (%w) without a report: %s", p.command[len(p.command)-1], errors.Join(ended.err, err), tail(ended.log))
	}
	late := ended.late || r.Seconds >= j.maxTime.Seconds()
	if r.Error != "" && r.TokensIn == 0 && !late {
		return o, fmt.Errorf("the peer did not start, or the model can't be asked: %s", oneLine(r.Error, 400))
	}
	o.said = r.Error
	o.Steps, o.TokensIn, o.TokensOut, o.Seconds, o.Unread = r.Steps, r.TokensIn, r.TokensOut, r.Seconds, r.Unread
	switch {
	case r.Done:
		o.end, o.answer = endDone, r.Answer
	case late:
		o.end = endTime
	case r.Steps >= j.maxSteps:
		o.end = endSteps
	case r.Error != "":
		o.end = endModel
	default:
		o.end, o.said = endGaveUp, r.Answer
	}
	return o, nil
}
