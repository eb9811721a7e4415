// Package bundle builds the extension from extension/src into a folder that Chrome loads, with
// esbuild as a library. It builds the relay (service worker), the extractor and the side
// panel. It does no type check; `tsc --noEmit` does.
package bundle

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/evanw/esbuild/pkg/api"
)

// Root is the extension folder of this source tree; tests and the build use
// it, the built program never does.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(file))
}

func options(root string) api.BuildOptions {
	return api.BuildOptions{
		AbsWorkingDir: root,
		Bundle:        true,
		Charset:       api.CharsetUTF8,
		Target:        api.ES2022,
		Platform:      api.PlatformBrowser,
		Format:        api.FormatIIFE,
		LegalComments: api.LegalCommentsNone,
		LogLevel:      api.LogLevelSilent,
	}
}

// Extractor gives the script that puts the extractor at globalThis.__tabwright
// in the world it is evaluated in. It needs no npm packages.
func Extractor(root string) (string, error) {
	o := options(root)
	o.EntryPoints = []string{"src/extractor/main.ts"}
	o.MinifySyntax, o.MinifyWhitespace, o.MinifyIdentifiers = true, true, true
	r := api.Build(o)
	if err := problems(r.Errors); err != nil {
		return "", fmt.Errorf("bundle extractor: %w", err)
	}
	return string(r.OutputFiles[0].Contents), nil
}

func problems(ms []api.Message) error {
	var errs []error
	for _, s := range api.FormatMessages(ms, api.FormatMessagesOptions{Kind: api.ErrorMessage}) {
		errs = append(errs, errors.New(s))
	}
	return errors.Join(errs...)
}
