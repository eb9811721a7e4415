package control

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tabwright/host/agent"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// Limits of attachments, in bytes except for the first.
const (
	attachedMost   = 8
	selectionBytes = 64 << 10
	textBytes      = 1 << 20
	pictureBytes   = 8 << 20
	fileBytes      = 16 << 20
)

const pictureMIME = "image/jpeg" // of the picture that shows a file to a model

// Subfolders of a task's folder.
const (
	uploadsName  = "uploads"
	picturesName = ".attached"
)

func badAttachment(why string) error {
	return &wire.Error{Code: wire.CodeInvalidParams, Message: why, Hint: "Attach less, or send it as a file of its own."}
}

// attach saves the user's attachments in the task's folder. It returns them as
// the journal keeps them and as the model gets them.
func (m *Manager) attach(task string, list []wire.Attachment) (kept []journal.Attached, out []agent.Attached, err error) {
	if len(list) > attachedMost {
		return nil, nil, badAttachment(fmt.Sprintf("At most %d things can be attached.", attachedMost))
	}
	for _, a := range list {
		k := journal.Attached{Kind: a.Kind, Name: a.Name, URL: a.URL, MIME: a.MIME}
		name := strconv.FormatInt(nowMillis(), 36) + strconv.Itoa(len(kept))
		switch a.Kind {
		case agent.AttachSelection:
			if len(a.Text) > selectionBytes {
				return nil, nil, badAttachment("The selected text is too long.")
			}
			k.Text = a.Text
		case agent.AttachPicture:
			if !slices.Contains([]string{"image/jpeg", "image/png", "image/webp"}, a.MIME) {
				return nil, nil, badAttachment("A picture is a JPEG, PNG or WebP.")
			}
			k.Path, err = m.keepCoded(task, picturesName, name, a.Data, pictureBytes)
		case agent.AttachFile:
			k.Path, err = m.keepCoded(task, uploadsName, plainName(a.Name), a.Data, fileBytes)
			switch {
			case err != nil:
			case a.Picture != "":
				k.View, err = m.keepCoded(task, picturesName, name+".jpg", a.Picture, pictureBytes)
			case a.Text != "":
				k.View, err = m.keepFile(task, picturesName, name+".txt", []byte(a.Text), textBytes)
			}
		default:
			return nil, nil, badAttachment(fmt.Sprintf("%q is nothing that can be attached.", a.Kind))
		}
		if err != nil {
			return nil, nil, err
		}
		kept = append(kept, k)
	}
	out, err = toAgentAttached(kept)
	return kept, out, err
}

// keepCoded is keepFile for base64 data.
func (m *Manager) keepCoded(task, folder, name, data string, most int) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil || len(raw) == 0 {
		return "", badAttachment("An attachment has no content that can be read.")
	}
	return m.keepFile(task, folder, name, raw, most)
}

// keepFile writes an attachment into a subfolder of the task's folder.
func (m *Manager) keepFile(task, folder, name string, raw []byte, most int) (string, error) {
	if len(raw) > most {
		return "", badAttachment(fmt.Sprintf("%s is larger than %d MB.", name, most>>20))
	}
	if m.FilesDir == "" {
		return "", badAttachment("Nothing can be attached here.")
	}
	dir := filepath.Join(m.taskDir(task), folder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(dir, name)
	for i := 2; ; i++ { // a second file of one name gets a number
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if os.IsExist(err) && i < 100 {
			path = filepath.Join(dir, strconv.Itoa(i)+"-"+name)
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(raw)
		if e := f.Close(); err == nil {
			err = e
		}
		return path, err
	}
}

// plainName turns s into a file name that is valid on every system.
func plainName(s string) string {
	s = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || strings.ContainsRune(`<>:"/\|?*`, c) {
			return '-'
		}
		return c
	}, filepath.Base(strings.ReplaceAll(s, `\`, "/")))
	if r := []rune(s); len(r) > 100 {
		s = string(r[len(r)-100:]) // keep the end, which has the extension
	}
	if s = strings.Trim(s, " ."); s == "" || s == "-" {
		return "file"
	}
	return s
}

// toAgentAttached reads saved attachments into the form that the model gets.
func toAgentAttached(kept []journal.Attached) ([]agent.Attached, error) {
	out := make([]agent.Attached, 0, len(kept))
	for _, k := range kept {
		a := agent.Attached{Kind: k.Kind, Name: k.Name, URL: k.URL, Text: k.Text, Path: k.Path, MIME: k.MIME}
		view := k.View
		if k.Kind == agent.AttachPicture {
			view = k.Path
		}
		if view != "" {
			raw, err := os.ReadFile(view)
			switch {
			case err != nil:
				return nil, fmt.Errorf("what was attached: %w", err)
			case filepath.Ext(view) == ".txt":
				a.Text = string(raw)
			default:
				a.Data = raw
			}
		}
		if k.View != "" && a.Data != nil {
			a.MIME = pictureMIME
		}
		out = append(out, a)
	}
	return out, nil
}

// uploadsOf returns the folders that a task may upload from: the user's, and the
// task's own attachments. If the user named none, uploads are not limited.
func (m *Manager) uploadsOf(task string, dirs []string) []string {
	if len(dirs) == 0 || m.FilesDir == "" {
		return dirs
	}
	return append(slices.Clone(dirs), filepath.Join(m.taskDir(task), uploadsName))
}
