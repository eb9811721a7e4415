package bundle

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHostNotices reads the licences of all that is compiled into the program: each is
// there, and one of those allowed.
func TestHostNotices(t *testing.T) {
	b, err := HostNotices(Root())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Go 1.", "github.com/gorilla/websocket v", "github.com/chromedp/cdproto v", "github.com/tmc/langchaingo v", "github.com/rs/zerolog v"} {
		if !bytes.Contains(b, []byte(want)) {
			t.Errorf("nothing of %s", want)
		}
	}
}

// TestPanelNotices: what esbuild bundled, and no more.
func TestPanelNotices(t *testing.T) {
	b, err := panelNotices(Root(), []string{`{"inputs":{"src/panel/main.tsx":{},"node_modules/preact/dist/preact.mjs":{},"node_modules/@preact/signals/dist/signals.mjs":{},"node_modules/preact/hooks/dist/hooks.mjs":{}}}`})
	if err != nil {
		t.Skipf("npm packages: %v", err)
	}
	got := string(b)
	if strings.Count(got, "Permission is hereby granted") != 2 || !strings.HasPrefix(got, "@preact/signals ") || !strings.Contains(got, "\npreact ") {
		t.Errorf("%s", got)
	}
}

func TestLicences(t *testing.T) {
	for want, text := range map[string]string{
		"Apache-2.0": "   Apache License\n   Version 2.0, January 2004",
		"MPL-2.0":    "Mozilla Public License Version 2.0\n====",
		"BSD":        "Redistribution and use in source and binary forms, with or without\nmodification, are permitted provided",
		"MIT":        "Permission is hereby granted, free of charge, to any person obtaining\na copy",
		"ISC":        "Permission to use, copy, modify, and/or distribute this software for any\npurpose with or without fee is hereby granted",
		"":           "GNU GENERAL PUBLIC LICENSE\nVersion 3",
	} {
		if got := licenceOf(text); got != want {
			t.Errorf("%q is %q", text, got)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte("GNU GENERAL PUBLIC LICENSE"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := notices([]dependency{{Name: "x", Version: "1", dir: dir}}); err == nil || !strings.Contains(err.Error(), "x 1") {
		t.Errorf("an unknown licence: %v", err)
	}
}
