package action

import (
	"context"
	"errors"

	"tabwright/pagecontext/picture"
)

// The limits of a picture of a step.
const (
	ThumbLong    = 320      // pixels of the longer side
	ThumbBytes   = 15 << 10 // of the JPEG
	thumbQuality = 60
)

// errNoThumb says that there is no page to take a picture of.
var errNoThumb = errors.New("no page to take a picture of")

// Thumb returns a small picture of the current tab for people, with secret fields
// covered as in every picture. It holds the tab only for the capture, and does not
// attach it: once ctx ends, no act waits.
func (s *Session) Thumb(ctx context.Context) ([]byte, error) {
	img, m, err := s.thumb(ctx)
	if err != nil {
		return nil, err
	}
	m.Long, m.Bytes, m.Quality = ThumbLong, ThumbBytes, thumbQuality
	// A cover that hides nothing forces a new encoding: Chrome's picture may be
	// small enough, but not a JPEG.
	m.Cover = append(m.Cover, picture.Box{X: -100, Y: -100, Width: 1, Height: 1})
	pic, err := picture.Make(img, m.Options)
	return pic.Data, err
}

func (s *Session) thumb(ctx context.Context) ([]byte, toMake, error) {
	if err := s.turn(ctx); err != nil {
		return nil, toMake{}, err
	}
	defer func() { <-s.acting }()
	s.mu.Lock()
	h := s.tabs[s.current]
	attached := h != nil && h.tab != nil && !h.lost && h.page != nil
	s.mu.Unlock()
	if !attached || h.tab.Dialog() != nil || h.tab.Refused() != nil {
		return nil, toMake{}, errNoThumb
	}
	img, m, _, err := s.capture(ctx, h, shot{quality: drawnQuality})
	return img, m, err
}

// LetGo detaches every tab of the session, which keeps them: the user acts in them
// now, unobserved. The next use attaches them again.
func (s *Session) LetGo(ctx context.Context) error {
	if err := s.turn(ctx); err != nil {
		return err
	}
	defer func() { <-s.acting }()
	s.mu.Lock()
	var hs []*held
	for _, h := range s.tabs {
		if h.attached {
			hs = append(hs, h)
		}
	}
	s.mu.Unlock()
	var errs []error
	for _, h := range hs {
		s.releaseHeldInput(ctx, h)
		err := s.b.Release(ctx, h.info.ID)
		s.mu.Lock()
		h.attached, h.lost = false, true
		s.mu.Unlock()
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
