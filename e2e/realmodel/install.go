package realmodel

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// install has a file of the cache made, unless it is there. Processes that want the
// same at the same time wait for each other.
func install(ctx context.Context, path, what string, progress io.Writer, build func() error) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	unlock, err := lock(ctx, dir+".lock")
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	defer unlock()
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	began := time.Now()
	fmt.Fprintf(progress, "%s: installing, once\n", what)
	if err := build(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	fmt.Fprintf(progress, "%s: installed in %s\n", what, time.Since(began).Round(time.Second))
	return nil
}
