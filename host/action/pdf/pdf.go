// Package pdf reads the text of PDF documents. A document may come from anywhere and may be
// hostile, so a separate process of the same binary reads it. The process is ended if it needs
// too much time or memory. Start reading at Read, which calls that process, and at Child,
// which runs in it.
package pdf

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/ledongthuc/pdf"
)

const (
	role = "TABWRIGHT_PDF_READER" // the variable that makes a process the reader

	readTime   = 30 * time.Second
	mostMemory = 1 << 30
	mostPages  = 5000
	mostDepth  = 30 // of the tree of pages
	mostNodes  = 100_000
	mostText   = 8 << 20 // characters of all pages
)

// Document is the readable part of a PDF document.
type Document struct {
	Title string `json:"title"`
	// Pages are the texts of the pages, one line per line of the page.
	Pages []string `json:"pages"`
	// Count is the number of its pages: there may be more than were read.
	Count int `json:"count"`
	// Error says why it can't be read.
	Error string `json:"error,omitempty"`
}

// ErrUnreadable is wrapped, with the reason, if data is no PDF or can't be read.
var ErrUnreadable = errors.New("the PDF can't be read")

// Read returns the text of a document.
func Read(ctx context.Context, data []byte) (Document, error) {
	if head := data[:min(len(data), 1024)]; !bytes.Contains(head, []byte("%PDF-")) {
		return Document{}, fmt.Errorf("%w: it does not begin as a PDF does", ErrUnreadable)
	}
	self, err := os.Executable()
	if err != nil {
		return Document{}, fmt.Errorf("%w: its reader is this program, whose path is not known: %w", ErrUnreadable, err)
	}
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), role+"=1")
	cmd.Stdin = bytes.NewReader(data)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return Document{}, fmt.Errorf("%w: it took more than %s", ErrUnreadable, readTime)
	}
	var d Document
	if err == nil {
		err = json.Unmarshal(out, &d)
	}
	if err != nil {
		return Document{}, fmt.Errorf("%w: the reader ended: %w", ErrUnreadable, err)
	}
	if d.Error != "" {
		return Document{}, fmt.Errorf("%w: %s", ErrUnreadable, d.Error)
	}
	return d, nil
}

// Child reads a document if this process was started for that, and tells whether it was.
// The program's main function, and TestMain of tests that read documents, call it before
// anything else, and end if it returns true.
func Child() bool {
	if os.Getenv(role) == "" {
		return false
	}
	go watch()
	data, err := io.ReadAll(os.Stdin)
	d := Document{}
	if err == nil {
		d, err = read(data)
	}
	if err != nil {
		d.Error = err.Error()
	}
	if err := json.NewEncoder(os.Stdout).Encode(d); err != nil {
		os.Exit(1)
	}
	return true
}

// watch ends the process if it takes too much time or memory, even without its parent.
func watch() {
	end := time.After(readTime + time.Second)
	for tick := time.NewTicker(50 * time.Millisecond); ; {
		select {
		case <-tick.C:
			var m runtime.MemStats
			if runtime.ReadMemStats(&m); m.Sys-m.HeapReleased > mostMemory {
				os.Exit(3)
			}
		case <-end:
			os.Exit(3)
		}
	}
}

// read reads all pages. The library panics on what it does not understand; the page's
// text then says that it can't be read.
func read(data []byte) (d Document, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	r, err := pdf.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return d, err
	}
	d.Title = r.Trailer().Key("Info").Key("Title").Text()
	nodes := 0
	pages := leaves(r.Trailer().Key("Root").Key("Pages"), 0, &nodes)
	d.Count = len(pages)
	total, fonts := 0, map[string]*font{}
	for _, p := range pages {
		text := onePage(p, fonts)
		d.Pages = append(d.Pages, text)
		if total += len(text); total > mostText || len(d.Pages) == mostPages {
			break
		}
	}
	return d, nil
}

// leaves returns the pages of the page tree, which in a broken document may be no tree.
func leaves(node pdf.Value, depth int, nodes *int) []pdf.Page {
	if *nodes++; depth > mostDepth || *nodes > mostNodes || node.IsNull() {
		return nil
	}
	kids := node.Key("Kids")
	if kids.Kind() != pdf.Array {
		return []pdf.Page{{V: node}}
	}
	var out []pdf.Page
	for i := range kids.Len() {
		out = append(out, leaves(kids.Index(i), depth+1, nodes)...)
	}
	return out
}

func onePage(page pdf.Page, fonts map[string]*font) (text string) {
	p := painter{fonts: fonts}
	defer func() {
		if fault := recover(); fault != nil {
			if text = layOut(p.out); text == "" {
				text = "(this page can't be read)"
			}
		}
	}()
	p.paint(page.V.Key("Contents"), page.Resources(), identity, 0)
	return layOut(p.out)
}
