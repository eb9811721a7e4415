package action

import (
	"strings"
)

// netError says in plain words what one of Chrome's net::ERR_… means, and what
// to do next.
type netError struct{ part, words, hint string }

// netErrors are looked through in order; part is a part of Chrome's name.
var netErrors = []netError{
	{"INVALID_AUTH_CREDENTIALS", "the site asks for a name and a password (HTTP authentication)", "Only the user can give them: use requestLogin, or go on without this page."},
	{"PROXY_AUTH", "the proxy asks for a name and a password", "Only the user can give them: tell them."},
	{"NAME_NOT_RESOLVED", "there is no host of that name", "Check how the address is spelled, or look for the site with webSearch."},
	{"INTERNET_DISCONNECTED", "this computer has no connection to the network", "Wait and try once more; then tell the user."},
	{"NETWORK_CHANGED", "the connection changed in the middle", "Try it once more."},
	{"CONNECTION_REFUSED", "nothing listens at that address", "Check the address and its port; the server may be down."},
	{"CONNECTION_TIMED_OUT", "the server can't be reached", "Try it once more later, or reach the page another way."},
	{"TIMED_OUT", "the server did not answer in time", "Try it once more later, or reach the page another way."},
	{"ADDRESS_UNREACHABLE", "the server can't be reached", "Try it once more later, or reach the page another way."},
	{"CONNECTION_", "the connection to the server broke off", "Try it once more."},
	{"EMPTY_RESPONSE", "the server closed the connection without an answer", "Try it once more."},
	{"CERT_", "the site's certificate is not valid, so nobody knows who answers", "Do not go around it. Tell the user, or use another site."},
	{"SSL_", "no secure connection to the site can be made", "Tell the user, or use another site."},
	{"TOO_MANY_REDIRECTS", "the site redirects in a circle", "Try the site's start page; it may need a login."},
	{"ABORTED", "the server sent no page to show, or the page went elsewhere at once", "The page before is still there: look at it. A file is fetched with download."},
	{"HTTP_RESPONSE_CODE_FAILURE", "the server answered with an error and nothing to show", "Try it once more later, or reach the page by links."},
	{"CACHE_MISS", "the page came of a form that was sent, and showing it again would send it again", "Go to the page with the form and look whether it must be sent at all."},
	{"BLOCKED_BY", "the browser does not let this page load", "Reach the goal another way."},
	{"UNSAFE_PORT", "the browser opens nothing at that port", "Check the address."},
	{"UNKNOWN_URL_SCHEME", "the browser has nothing to open such an address with", "Use an http or https address."},
	{"FILE_NOT_FOUND", "there is no such file", "Check the path."},
}

// netWords returns the plain words for an error of Chrome, with its name in brackets,
// and the hint; without plain words, Chrome's text.
func netWords(text string) (words, hint string) {
	name, ok := strings.CutPrefix(text, "net::ERR_")
	if !ok {
		return text, ""
	}
	for _, e := range netErrors {
		if strings.Contains(name, e.part) {
			return e.words + " (" + text + ")", e.hint
		}
	}
	return text, ""
}
