package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode/utf8"
)

// reader says how the state of an app is read. All named sources are used.
type reader struct {
	Get    string   `yaml:"get"`    // a path of the server that gives JSON
	Files  string   `yaml:"files"`  // a folder in STATE
	SQLite string   `yaml:"sqlite"` // a database in STATE
	Run    string   `yaml:"run"`    // a script whose output it is
	Ignore []string `yaml:"ignore"` // patterns of paths that change by themselves, such as ^sessions/
}

func (r reader) check() error {
	if r.Get+r.Files+r.SQLite+r.Run == "" {
		return errors.New("nothing says how to read it")
	}
	for _, p := range r.Ignore {
		if _, err := regexp.Compile(p); err != nil {
			return err
		}
	}
	return nil
}

//go:embed sqlite.py
var sqliteScript string

const (
	readTime  = 20 * time.Second // of one reading
	quietFor  = 300 * time.Millisecond
	quietMost = 8 * time.Second
	fileMost  = 1 << 20
)

// snapshot is a state as paths and values.
type snapshot map[string]string

// read reads the state of a running app.
func (r reader) read(ctx context.Context, url, dir string, env []string) (snapshot, error) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	s := snapshot{}
	add := func(under string, raw []byte) error {
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			if !utf8.Valid(raw) {
				return err
			}
			v = strings.Split(strings.TrimSpace(string(raw)), "\n") // plain text
		}
		flatten(s, under, v)
		return nil
	}
	if r.Get != "" {
		raw, err := get(ctx, url+r.Get)
		if err != nil {
			return nil, err
		}
		if err := add("", raw); err != nil {
			return nil, err
		}
	}
	for script, args := range map[string][]string{
		r.Run:    {"sh", "-ec", r.Run},
		r.SQLite: {"python3", "-c", sqliteScript, r.SQLite},
	} {
		if script == "" {
			continue
		}
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir, cmd.Env, cmd.WaitDelay = dir, env, time.Second
		raw, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("read the state: %w: %s", err, stderr(err))
		}
		if err := add("", raw); err != nil {
			return nil, err
		}
	}
	if r.Files != "" {
		if err := files(s, filepath.Join(dir, r.Files)); err != nil {
			return nil, err
		}
	}
	for _, p := range r.Ignore {
		re := regexp.MustCompile(p) // check compiled it
		for k := range s {
			if re.MatchString(k) {
				delete(s, k)
			}
		}
	}
	return s, nil
}

func stderr(err error) string {
	var e *exec.ExitError
	if errors.As(err, &e) {
		return plain(string(e.Stderr))
	}
	return ""
}

// get reads an address; a state that is not there yet is null.
func get(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := direct.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
		return io.ReadAll(io.LimitReader(resp.Body, 64*fileMost))
	case http.StatusNotFound:
		return []byte("null"), nil
	}
	return nil, fmt.Errorf("%s: %s", url, resp.Status)
}

// direct asks no proxy.
var direct = &http.Client{Transport: &http.Transport{}}

// flatten writes the leaves of a JSON value under their paths.
func flatten(s snapshot, at string, v any) {
	under := func(k string) string { return strings.TrimPrefix(at+"/"+k, "/") }
	switch v := v.(type) {
	case map[string]any:
		for k, w := range v {
			flatten(s, under(k), w)
		}
	case []any:
		for i, w := range v {
			flatten(s, under(fmt.Sprint(i)), w)
		}
		s[under("length")] = fmt.Sprint(len(v))
	case []string:
		for i, w := range v {
			s[under(fmt.Sprint(i))] = w
		}
	default:
		s[at] = fmt.Sprint(v)
	}
}

// files writes the contents of the files of a folder.
func files(s snapshot, root string) error {
	return filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it went meanwhile
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil || rel == "." {
			return err
		}
		if !d.Type().IsRegular() {
			s[filepath.ToSlash(rel)] = d.Type().String()
			return nil
		}
		raw, err := os.ReadFile(p)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		s[filepath.ToSlash(rel)] = string(raw[:min(len(raw), fileMost)])
		return err
	})
}

// changes returns a few of the paths in which two states differ.
func changes(a, b snapshot) []string {
	if reflect.DeepEqual(a, b) {
		return nil
	}
	var names []string
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			names = append(names, k)
		}
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			names = append(names, k)
		}
	}
	sort.Strings(names)
	const most = 4
	if len(names) > most {
		names = append(slices.Clone(names[:most]), fmt.Sprintf("and %d more", len(names)-most))
	}
	return names
}

// quiet reads until two readings in a row are the same.
func quiet(ctx context.Context, read func(context.Context) (snapshot, error)) (snapshot, error) {
	last, err := read(ctx)
	if err != nil {
		return nil, err
	}
	for until := time.Now().Add(quietMost); ; {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(quietFor):
		}
		now, err := read(ctx)
		if err != nil {
			return nil, err
		}
		if reflect.DeepEqual(last, now) {
			return now, nil
		}
		if last = now; time.Now().After(until) {
			return nil, errors.New("the state does not come to rest")
		}
	}
}
