package control

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tabwright/host/control/history"
	"tabwright/host/native/wire"
)

const (
	thumbsKept = 200 // of each task, the newest
	// thumbWait is how long a request waits for a picture that is still being taken,
	// while the model thinks of the next step.
	thumbWait = 3 * time.Second
	thumbLook = 100 * time.Millisecond
	sweepAge  = 24 * time.Hour
)

// keepThumb writes the picture of a step into a task's folder. It does not sync the
// file to disk: nothing depends on it.
func keepThumb(dir string, step int, jpeg []byte) error {
	path := history.ThumbPath(dir, step)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	// By a rename, so that no reader sees half of it.
	tmp := path + ".part"
	if err := os.WriteFile(tmp, jpeg, 0o600); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		return err
	}
	return pruneThumbs(filepath.Dir(path))
}

// pruneThumbs removes all but the newest pictures of a task.
func pruneThumbs(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= thumbsKept {
		return err
	}
	step := func(e fs.DirEntry) int {
		n, _ := strconv.Atoi(strings.TrimSuffix(e.Name(), ".jpg")) // half-written ones first
		return n
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(step(a), step(b)) })
	var errs []error
	for _, e := range entries[:len(entries)-thumbsKept] {
		errs = append(errs, os.Remove(filepath.Join(dir, e.Name())))
	}
	return errors.Join(errs...)
}

// Thumb returns the picture of a step. It waits for one that is being taken.
func (m *Manager) Thumb(ctx context.Context, p wire.StepRef) (wire.Picture, error) {
	none := &wire.Error{Code: wire.CodeNoPicture, Message: "There is no picture of that step.", Hint: "One is taken after a step that changed the page."}
	if _, err := m.History().Task(p.Task); err != nil {
		return wire.Picture{}, err
	}
	if m.FilesDir == "" || p.Step <= 0 {
		return wire.Picture{}, none
	}
	ctx, cancel := context.WithTimeout(ctx, thumbWait)
	defer cancel()
	for {
		raw, err := os.ReadFile(history.ThumbPath(m.taskDir(p.Task), p.Step))
		if err == nil {
			return wire.Picture{MIME: "image/jpeg", Data: base64.StdEncoding.EncodeToString(raw)}, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return wire.Picture{}, err
		}
		if _, err := m.runningTask(p.Task); err != nil {
			return wire.Picture{}, none
		}
		select {
		case <-time.After(thumbLook):
		case <-ctx.Done():
			return wire.Picture{}, none
		}
	}
}

// sweep removes the pictures, attachments and traces of tasks that are no longer in
// the journal, but not the files that a task was asked to write.
func (m *Manager) sweep() {
	if m.FilesDir == "" {
		return
	}
	entries, err := os.ReadDir(m.FilesDir)
	if err != nil {
		return // there is no task folder yet
	}
	for _, e := range entries {
		// A `run --launch` has a journal of its own, and folders here while it runs.
		if st, err := e.Info(); err != nil || time.Since(st.ModTime()) < sweepAge {
			continue
		}
		if _, err := m.History().Task(e.Name()); !errors.Is(err, &wire.Error{Code: wire.CodeNoTask}) {
			continue
		}
		dir := filepath.Join(m.FilesDir, e.Name())
		for _, ours := range []string{"thumbs", uploadsName, picturesName, ".trace"} {
			if err := os.RemoveAll(filepath.Join(dir, ours)); err != nil {
				m.Log.Warn().Err(err).Msg("what is left of an old task was not removed")
			}
		}
		_ = os.Remove(dir) // unless the user's files are in it
	}
}
