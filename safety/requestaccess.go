package safety

import "strings"

// Settings of a server that give access: to whom, from where, in which role, after which checks. Their names
// combine a few words in any order, so they are matched by parts.

// accessLists are parts of keys that list the allowed users, hosts or addresses.
var accessLists = []string{
	"allowedhost", "trustedhost", "allowhost", "hostwhitelist", "hostallowlist", "allowedip", "trustedip", "allowip", "ipwhitelist", "ipallowlist", "whitelist", "allowlist",
	"trustedprox", "alloworigin", "allowedorigin", "trustedorigin", "corsorigin", "corsallow", "alloweduser", "allowedgroup", "adminnet", "adminip", "allowedclient", "sharedwith", "sharewith",
}

// accessOpens are parts of keys that give everybody access when true, accessGuards of keys that do so when false.
var (
	accessOpens = []string{
		"anonymousaccess", "allowanonymous", "enableanonymous", "anonymousenabled", "anonymouslogin", "anonymousread", "anonymouswrite", "guestaccess", "allowguest", "enableguest", "allowregist", "enableregist", "openregist", "registrationenabled", "allowsignup", "enablesignup", "opensignup", "signupenabled",
		"remoteaccess", "remoteapi", "remotemanage", "remoteadmin", "enableremote", "allowremote", "disableauth", "noauth", "skipauth", "authdisabled", "disablelogin", "insecure", "skipverif",
		"skiptls", "tlsskip", "skipssl", "disablessl", "disabletls", "isstaff", "issuperuser", "disableprotect", "allowhtml", "allowphp", "allowscript", "allowexec", "enablescript", "enableshell",
	}
	accessGuards = []string{
		"authenabled", "enableauth", "useauth", "requireauth", "authrequired", "authenticationrequired", "authenticationenabled", "requirelogin", "loginrequired", "passwordrequired", "requirepassword",
		"useacl", "aclenabled", "enableacl", "whitelistenabled", "allowlistenabled", "hostcheck", "csrf", "verifyssl", "sslverify", "verifytls", "tlsverify", "verifycert", "checkcert",
		"dontoverwrite", "preventoverwrite", "nooverwrite", "ratelimit", "bruteforce", "fail2ban", "protectionenabled",
	}
)

// givesAccess judges a key of a body by its value.
func (b *bodyReader) givesAccess(key, val string) {
	k := strings.ReplaceAll(keyName(clip(key, maxName)), " ", "")
	if k == "" || len(k) > maxName {
		return
	}
	part := func(list []string) bool {
		for _, p := range list {
			if strings.Contains(k, p) {
				return true
			}
		}
		return false
	}
	switch on, off := yesWord(val), noWord(val); {
	case on && part(accessOpens), off && part(accessGuards):
		b.firm = append(b.firm, finding{Identity, key + ": " + strings.ToLower(val)})
	case !on && !off && val != "" && part(accessLists):
		b.firm = append(b.firm, finding{Settings, key})
	case !on && !off && movesTo[k] && isFilePath(val):
		b.firm = append(b.firm, finding{Settings, key})
	case sqlKeys[k] && readsOnly(val):
		b.reads = true
	case sqlKeys[k] && writes.MatchString(val):
		f := finding{Destroy, key}
		if n := len(b.path.names); k != "query" || n > 0 && sqlKeys[b.path.names[n-1].bare] { // elsewhere it may be searched for
			b.hard = append(b.hard, f)
		} else {
			b.firm = append(b.firm, f)
		}
	case sqlKeys[k] && val != "":
		b.runs = true
	}
}

func yesWord(s string) bool {
	switch strings.ToLower(s) {
	case "true", "1", "on", "yes":
		return true
	}
	return false
}

func noWord(s string) bool {
	switch strings.ToLower(s) {
	case "false", "0", "off", "no":
		return true
	}
	return false
}

// movesTo are keys that hold a destination of files, sqlKeys keys that hold an SQL statement.
var (
	movesTo = wordSet("location dir directory newpath newlocation destination dest destdir destpath target targetdir targetpath moveto rootdir rootpath datadir savedir")
	sqlKeys = wordSet("sql query statement sqlquery sqlquerytext querytext stmt")
)

// fileRoots are first segments of absolute paths on a computer.
var fileRoots = wordSet("tmp home var mnt media srv data opt etc root usr users volume volume1 volumes storage downloads share shares")

// isFilePath reports an absolute path on a computer.
func isFilePath(s string) bool {
	if len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/') {
		return true
	}
	rest, ok := strings.CutPrefix(s, "/")
	first, _, _ := strings.Cut(rest, "/")
	return ok && fileRoots[strings.ToLower(first)] && !strings.ContainsAny(s, "?#<>\n")
}
