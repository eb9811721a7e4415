package action

import (
	"context"
	"strconv"
	"strings"

	"tabwright/host/action/effect"
	"tabwright/host/action/page"
	"tabwright/safety"
)

const sameShown = "the page did not react to the new address and shows what it showed before: to load it anew, refresh"

// samePage tells whether two addresses are the same except for query and fragment.
func samePage(a, b string) bool {
	bare := func(u string) string {
		u, _, _ = strings.Cut(u, "#")
		u, _, _ = strings.Cut(u, "?")
		return u
	}
	return bare(a) == bare(b)
}

// readPage keeps the page's lines, for a navigation that leads to the same page.
func (w *effectRecorder) readPage(ctx context.Context) {
	fs, bad := w.r.frames(ctx)
	if bad != nil {
		return
	}
	fctx, cancel := context.WithTimeout(ctx, otherFrameTime)
	defer cancel()
	got, err := page.ReadLines(fctx, fs[0])
	if err != nil {
		w.r.s.o.Log.Debug().Err(err).Msg("what the page says is not known")
		return
	}
	w.page = &got
}

// addNews tells what is new on a page that was loaded: the same page again, another
// state of it, or the result of a form.
func (w *effectRecorder) addNews(ctx context.Context, out *effect.Effect) {
	if w.page == nil {
		return
	}
	fs, bad := w.r.frames(ctx)
	if bad != nil {
		return
	}
	fctx, cancel := context.WithTimeout(ctx, frameTime)
	defer cancel()
	led := page.Led{Again: samePage(w.at, out.URL), Same: w.at == out.URL, Sent: w.target != nil && w.target.facts.SubmitsForm}
	got, err := page.ReadNews(fctx, fs[0], *w.page, led)
	if err != nil {
		w.r.s.o.Log.Debug().Err(err).Msg("what is new on the page is not known")
		return
	}
	clean := w.r.s.masker()
	say := func(lines []string) string {
		words := make([]string, len(lines))
		for i, l := range lines {
			words[i] = strconv.Quote(safety.Redact(clean(l)))
			out.Appeared = append(out.Appeared, safety.Redact(clean(l)))
		}
		return strings.Join(words, ", ")
	}
	if len(got.News) > 0 && !got.Same {
		out.News = append(out.News, effect.New+say(got.News)+moreLines(got.More))
	}
	if appeared := len(out.Appeared); len(got.Gone) > 0 && !out.Loading {
		out.News = append(out.News, effect.Gone+say(got.Gone)+moreLines(got.MoreGone))
		out.Appeared = out.Appeared[:appeared]
	}
	if got.Same && !out.Loading {
		out.Shows = "it shows what the page showed before"
		if len(got.News) > 0 {
			out.Shows += ", again with " + say(got.News)
		}
	}
}

// moreLines says how many lines more there are than were told.
func moreLines(n int) string {
	if n == 0 {
		return ""
	}
	return " and " + effect.HowMany(n, "more line")
}
