package safety

import "strings"

// hiddenMark replaces a secret part of an address.
const hiddenMark = "•••"

// secretParams are the names of parameters whose values give access, as keyName writes a
// key. Those in opaqueParams do so only where the value looks generated.
var (
	secretParams = wordSet("accesstoken idtoken refreshtoken token authtoken auth authorization apikey apitoken apisecret accesskey password passwd pwd pass passcode passphrase secret clientsecret " +
		"session sessionid sessiontoken sid jsessionid phpsessid otp jwt assertion samlresponse sig signature xamzsignature xamzcredential xamzsecuritytoken xgoogsignature xgoogcredential " +
		"csrf csrftoken xsrftoken resettoken resetpasswordtoken confirmationtoken magictoken logintoken onetimecode oobcode bearer credential credentials")
	opaqueParams = wordSet("key code k t hash ticket state invite hmac")
)

const (
	leastSecret = 6  // least length of a value that is hidden
	leastOpaque = 24 // least length of a value under a name that says nothing
)

// HideInAddresses hides the secrets in the addresses of a text: a name and password before
// the host, and the values of parameters that give access.
func HideInAddresses(text string) string { return hideParams(hideUserinfo(text)) }

// endsAddress are the characters that end an address in a text.
const endsAddress = " \t\r\n\"'<>()[]{}\\|`"

func hideUserinfo(text string) string {
	at := strings.Index(text, "://")
	if at < 0 || !strings.Contains(text[at:], "@") {
		return text
	}
	var b strings.Builder
	for {
		at := strings.Index(text, "://")
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		at += len("://")
		b.WriteString(text[:at])
		text = text[at:]
		host := text
		if end := strings.IndexAny(text, endsAddress+"/?#"); end >= 0 {
			host = text[:end]
		}
		if sign := strings.LastIndexByte(host, '@'); sign >= 0 {
			b.WriteString(hiddenMark)
			text = text[sign:]
		}
	}
}

func hideParams(text string) string {
	if !strings.ContainsAny(text, "?&#") || strings.IndexByte(text, '=') < 0 {
		return text
	}
	var b strings.Builder
	for {
		eq := strings.IndexByte(text, '=')
		if eq < 0 {
			b.WriteString(text)
			return b.String()
		}
		from := eq
		for from > 0 && isParamByte(text[from-1]) {
			from--
		}
		value := text[eq+1:]
		if end := strings.IndexAny(value, endsAddress+"&#"); end >= 0 {
			value = value[:end]
		}
		b.WriteString(text[:eq+1])
		key, begins := text[from:eq], from > 0 && strings.IndexByte("?&#;", text[from-1]) >= 0
		if from > 0 && text[from-1] == '\\' && strings.HasPrefix(key, jsonAnd) {
			key, begins = key[len(jsonAnd):], true
		}
		if begins && isSecretParam(key, value) {
			b.WriteString(hiddenMark)
		} else {
			b.WriteString(value)
		}
		text = text[eq+1+len(value):]
	}
}

// jsonAnd is how JSON writes an & between parameters, behind a backslash.
const jsonAnd = "u0026"

func isParamByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isSecretParam(key, value string) bool {
	k := keyName(key)
	return len(value) >= leastSecret && secretParams[k] || len(value) >= leastOpaque && opaqueParams[k] && strings.ContainsAny(value, "0123456789")
}
