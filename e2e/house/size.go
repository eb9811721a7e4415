package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// subjectMax is the longest subject of a commit.
const subjectMax = 72

// shipped are the folders whose code is in the product.
var shipped = []string{"host", "llm", "pagecontext", "safety", "prompts", "install", "extension"}

// longSubjects counts the commits whose subject is too long.
func longSubjects() (long, all int, err error) {
	raw, err := run("git", "log", "--format=%s")
	if err != nil {
		return 0, 0, err
	}
	for subject := range strings.SplitSeq(strings.TrimSpace(string(raw)), "\n") {
		all++
		if len([]rune(subject)) > subjectMax {
			long++
		}
	}
	return long, all, nil
}

// productLines counts the lines of the code that git knows in the shipped
// folders.
func productLines() (int, error) {
	raw, err := run("git", append([]string{"ls-files", "--"}, shipped...)...)
	if err != nil {
		return 0, err
	}
	lines := 0
	for name := range strings.FieldsSeq(string(raw)) {
		if !isProduct(name) {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return 0, fmt.Errorf("count lines: %w", err)
		}
		if head, _, _ := bytes.Cut(b, []byte("\n")); !bytes.Contains(head, []byte("enerated")) {
			lines += bytes.Count(b, []byte("\n"))
		}
	}
	return lines, nil
}

// isProduct reports whether a file is code that is shipped: no test, no helper
// of tests, no data of them.
func isProduct(name string) bool {
	for _, part := range strings.Split(filepath.ToSlash(filepath.Dir(name)), "/") {
		if part == "testdata" || part == "corpus" || part == "build" || strings.HasSuffix(part, "test") {
			return false
		}
	}
	switch filepath.Ext(name) {
	case ".go":
		return !strings.HasSuffix(name, "_test.go")
	case ".ts":
		return !strings.HasSuffix(name, ".test.ts") && !strings.HasSuffix(name, ".d.ts")
	case ".css", ".html":
		return true
	}
	return false
}

// binarySize builds the program as it is released and gives its size.
func binarySize() (int64, error) {
	dir, err := os.MkdirTemp("", "tabwright-house-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "tabwright")
	if _, err := run("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "./host"); err != nil {
		return 0, err
	}
	st, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return st.Size(), nil
}
