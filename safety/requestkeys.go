package safety

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Some keys of a body show its purpose whatever the address: a new state of a thing,
// a card, a sum with a payee, a password, a message with a recipient. Of the values
// only states are read, and only whole.

// stateKeys are keys for a new state of a thing; states give the class of such a state.
var (
	stateKeys = wordSet("status state stateevent newstatus newstate targetstatus orderstatus workflowstate visibility access")
	states    = map[string]Class{
		"cancelled": Destroy, "canceled": Destroy, "cancel": Destroy, "deleted": Destroy, "delete": Destroy, "terminated": Destroy, "revoked": Destroy,
		"trashed": Destroy, "trash": Destroy, "deactivated": Destroy, "rejected": Destroy, "declined": Destroy, "removed": Destroy, "voided": Destroy, "withdrawn": Destroy,
		"annulled": Destroy, "denied": Destroy, "banned": Destroy, "suspended": Destroy, "lost": Destroy, "stolen": Destroy, "refunded": Purchase, "paid": Purchase, "purchased": Purchase, "ordered": Purchase,
		"placed": Purchase, "published": Communicate, "publish": Communicate, "sent": Communicate, "approved": Communicate, "public": Communicate, "shared": Communicate,
		"signed": Legal, "accepted": Legal,
	}
	// flagKeys are keys that name a deed and are true when it is done.
	flagKeys = map[string]Class{
		"deleted": Destroy, "delete": Destroy, "destroy": Destroy, "cancelled": Destroy, "canceled": Destroy, "cancel": Destroy,
		"cancelatperiodend": Destroy, "terminated": Destroy, "revoked": Destroy, "deactivated": Destroy, "trashed": Destroy, "permanent": Destroy,
		"reboot": Destroy, "shutdown": Destroy, "poweroff": Destroy, "factoryreset": Destroy, "removeall": Destroy, "send": Communicate, "deleteall": Destroy, "unsubscribe": Destroy, "unsubscribed": Destroy, "optout": Destroy, "closeaccount": Destroy,
		"published": Communicate, "publish": Communicate, "public": Communicate, "makepublic": Communicate,
		"sendmessage": Communicate, "approved": Communicate,
		"acceptterms": Legal, "termsaccepted": Legal, "acceptedterms": Legal, "tosaccepted": Legal, "accepttos": Legal, "agreetoterms": Legal, "agreedtoterms": Legal,
		"agree": Legal, "agreed": Legal, "approve": Communicate, "makeadmin": Identity, "admin": Identity, "sysadmin": Identity, "sysadminflag": Identity, "superuser": Identity, "superadmin": Identity, "adminaccess": Identity, "isadmin": Identity, "issuperuser": Identity,
		"termsagreed": Legal, "signed": Legal, "paynow": Purchase, "placeorder": Purchase, "confirmpurchase": Purchase, "confirmorder": Purchase, "autorenew": Settings,
	}
)

// valueRule gives the class of setting one of keys to one of values.
type valueRule struct {
	keys, values map[string]bool
	class        Class
}

// powers are roles that may do everything.
var powers = ruleWords("powers")

// valueRules read who may do what, who may see something and what was decided. A
// value counts by any word of it: "super_admin", "ANYONE_WITH_LINK".
var valueRules = []valueRule{
	{ruleWords("role keys"), powers, Identity},
	{ruleWords("audience keys"), ruleWords("audiences"), Communicate},
	{ruleWords("decision keys"), ruleWords("approvals"), Communicate},
	{ruleWords("verdict keys"), ruleWords("passes"), Communicate},
	{ruleWords("decision keys"), ruleWords("refusals"), Destroy},
}

// trashKeys are keys for the folder to which something is moved, trashNames the folders of what is deleted.
var (
	trashKeys  = wordSet("targetmbox targetmailbox targetfolder destinationfolder destination destinationid folder folderid mailbox mailboxid moveto")
	trashNames = wordSet("trash deleteditems deletedmessages bin recyclebin papierkorb corbeille papelera lixeira cestino")
)

// longestState is the most words of a state. A longer value is prose.
const longestState = 4

// state judges the value of a key.
func (b *bodyReader) state(key, val string) {
	k := keyName(key)
	if isStateKey(k) {
		if c := b.stateClass(strings.ToLower(val)); c != "" {
			b.soft = append(b.soft, finding{c, key + ": " + strings.ToLower(val)})
		} else if s := keyName(fold(clip(val, maxName))); stateKeys[k] && turns[s] != "" {
			b.judgeStatus(key, s)
		}
	}
	if len(val) > maxName {
		return
	}
	if trashKeys[k] && trashNames[keyName(strings.ReplaceAll(fold(val), " ", ""))] {
		b.soft = append(b.soft, finding{Destroy, key + ": " + val})
	}
	if c := turns[val]; k == turnKey && c != "" {
		b.soft = append(b.soft, finding{c, key + ": " + val})
	}
	if k == bindingKey && bindingStates[keyName(val)] {
		b.firm = append(b.firm, finding{Settings, key + ": " + val})
	}
	if c := valueClass([]string{k}, val); c != "" {
		b.firm = append(b.firm, finding{c, key + ": " + strings.ToLower(val)})
	}
}

// isStateKey reports a key for a new state: "moderation_state". A state that was ("old_status"), that is looked for or
// that the browser is in gives the record none.
func isStateKey(k string) bool {
	if stateKeys[k] {
		return true
	}
	of, ok := strings.CutSuffix(k, "state")
	if !ok {
		of, ok = strings.CutSuffix(k, "status")
	}
	return ok && !otherState.MatchString(of)
}

var otherState = regexp.MustCompile(`^(?:old|prev|current|from|before|last|filter|search|expected|default|initial|parent)|permission|consent|connection|network|ready`)

// begun are states of what runs from then on: of a campaign, that it is sent.
var begun = wordSet("running live started launched scheduled")

// stateClass gives the class of a new state of what the path names.
func (b *bodyReader) stateClass(val string) Class {
	if c := states[val]; c != "" {
		return c
	}
	for i := len(b.path.names) - 1; begun[val] && i >= 0; i-- {
		if s := b.path.names[i]; s.lone && s.class == Communicate {
			return Communicate
		}
	}
	return ""
}

// valueClass gives the class of setting one of keys to val by valueRules; "" if none applies or
// val is prose.
func valueClass(keys []string, val string) Class {
	ws := words(fold(val))
	if len(ws) > longestState {
		return ""
	}
	for _, r := range valueRules {
		if slices.ContainsFunc(keys, func(k string) bool { return r.keys[k] }) &&
			(r.values[strings.Join(ws, "")] || slices.ContainsFunc(ws, func(w string) bool { return r.values[w] })) {
			return r.class
		}
	}
	return ""
}

// safeKeys are keys that remove a safeguard when false.
var safeKeys = map[string]Class{
	"transferlock": Settings, "registrarlock": Settings, "domainlock": Settings, "deletionprotection": Settings, "terminationprotection": Settings,
	"branchprotection": Settings, "approvalrequired": Settings, "requireapproval": Settings, "requiresapproval": Settings,
	"accountenabled": Identity, "loginenabled": Identity, "mfa": Identity, "mfaenabled": Identity, "mfarequired": Identity, "requiremfa": Identity, "twofactor": Identity, "twofactorenabled": Identity, "2fa": Identity, "2faenabled": Identity,
	"encryption": Identity, "encryptionenabled": Identity, "firewall": Identity, "firewallenabled": Identity, "backup": Identity, "backups": Identity, "backupenabled": Identity, "loginalerts": Identity,
	"spendinglimitenabled": Settings, "parentalcontrol": Identity, "parentalcontrols": Identity, "safesearch": Identity, "private": Communicate, "isprivate": Communicate,
}

// off judges a key that is set to false.
func (b *bodyReader) off(key string) {
	if c := safeKeys[keyName(key)]; c != "" {
		b.soft = append(b.soft, finding{c, key + ": false"})
	}
}

// flag judges a key that is set.
func (b *bodyReader) flag(key string) {
	k := keyName(key)
	if strings.HasPrefix(k, "autoaccept") || strings.HasPrefix(k, "autoapprove") {
		b.hard = append(b.hard, finding{Settings, key}) // whatever comes is taken unseen from now on
	}
	if c := cmp.Or(flagKeys[k], flagKeys[strings.TrimPrefix(k, "is")]); c != "" || sendsFlag.MatchString(k) && !strings.Contains(k, "notif") {
		b.soft = append(b.soft, finding{cmp.Or(c, Communicate), key})
	}
	if n := len(b.path.names); n > 0 && b.path.names[n-1].lone && b.path.names[n-1].class == Purchase {
		if s := b.v.name(key); s.makes && s.count == 1 {
			b.soft = append(b.soft, finding{Purchase, key}) // {"_place": true} to /orders/4
		}
	}
}

// sendsFlag is a key of whether others are told: "SendEmailToCustomer".
var sendsFlag = regexp.MustCompile(`^send(?:e?mail|invoice|calendarinvite|invit)`)

// keyKind is a set of kinds of keys in a body.
type keyKind uint8

const (
	ofCard keyKind = 1 << iota
	ofCode
	ofPassword
	ofSum
	ofPayee
	ofReceiver
	ofText
)

var keyKinds = func() map[string]keyKind {
	m := map[string]keyKind{}
	for list, kind := range map[string]keyKind{"card keys": ofCard, "code keys": ofCode, "password keys": ofPassword, "sum keys": ofSum, "payee keys": ofPayee, "receiver keys": ofReceiver, "text keys": ofText} {
		for w := range ruleWords(list) {
			m[w] |= kind
		}
	}
	return m
}()

// placeKeys are keys for the folder in which a program stores new files.
var placeKeys = wordSet("downloaddir downloaddirectory downloadpath downloadfolder savepath incompletedir watchdir backupdir backuppath")

// kind records the kind of a key with a value.
func (b *bodyReader) kind(key, val string) {
	k := keyKinds[key]
	switch {
	case val == "":
	case strings.HasSuffix(key, "password"):
		b.kinds |= ofPassword
	case strings.Contains(key, "forward") && !strings.Contains(key, "forwarded") && strings.Contains(val, "@"):
		b.hard = append(b.hard, finding{Settings, key})
	case key == "email" && strings.Contains(val, "@") && b.path.ofAccount():
		b.soft = append(b.soft, finding{Identity, key}) // where passwords and news are sent
	case placeKeys[key] && strings.ContainsAny(val, `/\`):
		b.hard = append(b.hard, finding{Settings, key})
	case k == 0, k&(ofPayee|ofReceiver) != 0 && currencyCode(val), k&ofSum != 0 && !strings.ContainsAny(val, "123456789"):
	default:
		b.kinds |= k
	}
}

// number notes a sum or a receiver that is sent as a number.
func (b *bodyReader) number(key, val string) {
	b.field(key, val)
	k := keyName(key)
	if keyKinds[k]&^(ofPassword|ofText) != 0 {
		b.kind(k, val)
	}
}

// together adds the findings that take several kinds of keys.
func (b *bodyReader) together() {
	for _, x := range []struct {
		all   keyKind
		class Class
		word  string
	}{
		{ofCard | ofCode, Purchase, "card number"},
		{ofSum | ofPayee, Purchase, "amount, recipient"},
		{ofPassword, Identity, "password"},
		{ofReceiver | ofText, Communicate, "recipient, message"},
	} {
		if b.kinds&x.all == x.all && (x.class != Communicate || !b.path.drafts()) {
			b.soft = append(b.soft, finding{x.class, x.word})
		}
	}
}
