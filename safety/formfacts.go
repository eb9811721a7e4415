package safety

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

func (f *Form) secret() string {
	if f == nil {
		return ""
	}
	found := ""
	for _, x := range f.Fields {
		switch {
		case x.Secret == "card" || x.Secret == "cvc":
			return x.Secret
		case x.Secret != "":
			found = x.Secret
		}
	}
	return found
}

// action gives the address of a form, "" if f is nil.
func (f *Form) action() string {
	if f == nil {
		return ""
	}
	return f.Action
}

// sum gives the value of the first visible field that offers a sum (offerFields).
func (f *Form) sum() string {
	for _, x := range f.Fields {
		if x.Secret != "" || x.Type == "hidden" || !strings.ContainsAny(x.Value, "123456789") {
			continue
		}
		for _, w := range words(fold(x.Name)) {
			if offerFields[w] {
				return clip(x.Value, 40)
			}
		}
	}
	return ""
}

// twoDecimals matches a number written as a price.
var twoDecimals = regexp.MustCompile(`^\d{1,7}[.,]\d{2}$`)

// price gives the value of the first field to fill in that is written as a price, whatever its name.
func (f *Form) price() string {
	for _, x := range f.Fields {
		if (x.Type == "text" || x.Type == "number") && x.Secret == "" && twoDecimals.MatchString(x.Value) && strings.ContainsAny(x.Value, "123456789") {
			return x.Value
		}
	}
	return ""
}

// message reports a form with a text of several lines, such as a message.
func (f *Form) message() bool {
	for _, x := range f.Fields {
		if x.Type == "textarea" {
			return true
		}
	}
	return false
}

// writes reports a form with a text that somebody wrote.
func (f *Form) writes() bool {
	return slices.ContainsFunc(f.Fields, func(x Field) bool {
		return x.Value != "" && (x.Type == "text" || x.Type == "email" || x.Type == "url" || x.Type == "tel")
	})
}

// opens gives the address that a GET form opens, with its fields in the query; nil for
// other forms.
func (f *Form) opens() *url.URL {
	if !strings.EqualFold(f.Method, "get") {
		return nil
	}
	u := readableURL(f.Action)
	if u == nil {
		return nil
	}
	q := url.Values{}
	for _, x := range f.Fields {
		if x.Name != "" && x.Secret == "" {
			q.Add(x.Name, x.Value)
		}
	}
	out := *u
	out.RawQuery = q.Encode()
	return &out
}

// paysSomebody reports a form with an amount and a recipient or, where it is kept, whoever paid it. A
// currency code is no recipient: a converter has an amount and a "to" as well.
func (f *Form) paysSomebody() bool {
	sum, payee := false, false
	for _, x := range f.Fields {
		if x.Value == "" || x.Secret != "" {
			continue
		}
		for _, w := range words(fold(x.Name)) {
			sum = sum || sumFields[w] && strings.ContainsAny(x.Value, "123456789")
			payee = payee || payeeFields[w] && x.Type != "select" && !currencyCode(x.Value) || payerFields[w] && strings.EqualFold(f.Method, "post")
		}
	}
	return sum && payee
}

func currencyCode(s string) bool {
	return len(s) == 3 && strings.ToUpper(s) == s && strings.ToLower(s) != s
}

// looksUp reports a form with one line of text only, as for looking up a number. If
// it is sent by POST, the line must look like a code: see codeLike.
func (f *Form) looksUp() bool {
	if f == nil {
		return false
	}
	lines := 0
	for _, x := range f.Fields {
		switch x.Type {
		case "hidden", "submit", "button":
		case "text", "search", "number", "tel":
			lines++
			if !strings.EqualFold(f.Method, "get") && !codeLike(x.Value) {
				return false
			}
		default:
			return false
		}
	}
	return lines == 1
}

// chooses reports a form that opens an address by what is chosen of a list: nothing can be written
// in it.
func (f *Form) chooses() bool {
	if f == nil || !strings.EqualFold(f.Method, "get") || acts(readableURL(f.Action)) {
		return false
	}
	chosen := false
	for _, x := range f.Fields {
		switch x.Type {
		case "submit", "button":
		case "hidden":
			if strings.ContainsAny(x.Value, " ;+") {
				return false // it may be a statement
			}
		case "select", "select-one":
			chosen = true
		default:
			return false
		}
	}
	return chosen
}

// quantityWords name the field for how many of a thing are wanted.
var quantityWords = ruleWords("quantity words")

// counts reports a form that says how many of a thing are wanted, as the lines of a basket do.
func (f *Form) counts() bool {
	return f != nil && slices.ContainsFunc(f.Fields, func(x Field) bool {
		return x.Type != "hidden" && slices.ContainsFunc(words(fold(x.Name+" "+x.Label)), func(w string) bool { return quantityWords[w] })
	})
}

// codeLike reports a value that may be a parcel's or an order's number, or is empty:
// no sentence, no count.
func codeLike(v string) bool {
	if v == "" {
		return true
	}
	letters, digits, words := 0, 0, len(strings.Fields(v))
	for _, r := range v {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r < utf8.RuneSelf && unicode.IsLetter(r):
			letters++
		case unicode.IsLetter(r):
			return false
		}
	}
	return digits > 4 || digits > 0 && letters > 0 || letters > 0 && words == 1
}

// names gives the first phrase of a word list section in the labels or names of the
// form's visible fields, "" if none.
func (f *Form) names(l *lexicon, section string) string {
	for _, x := range f.Fields {
		if x.Type == "hidden" {
			continue
		}
		for _, s := range []string{x.Label, x.Name} {
			if h := l.inWords(section, words(fold(openCamel(clip(s, 120))))); h != nil {
				return h.raw
			}
		}
	}
	return ""
}
