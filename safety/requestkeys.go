package safety

import "strings"

// Keys of a body that tell what it is, whatever its address is called: the state
// that a thing is put in, a card, a sum with who gets it, a password, a message
// with whom it is for. Of values only states are read, and only whole.

// stateKeys hold the state that a thing is put in, states what such a state does.
var (
	stateKeys = wordSet("status state newstatus newstate targetstatus orderstatus workflowstate visibility access")
	states    = map[string]Class{
		"cancelled": Destroy, "canceled": Destroy, "cancel": Destroy, "deleted": Destroy, "delete": Destroy, "terminated": Destroy, "revoked": Destroy,
		"trashed": Destroy, "trash": Destroy, "deactivated": Destroy, "rejected": Destroy, "declined": Destroy, "removed": Destroy, "voided": Destroy, "withdrawn": Destroy,
		"annulled": Destroy, "refunded": Purchase, "paid": Purchase, "purchased": Purchase, "ordered": Purchase,
		"placed": Purchase, "published": Communicate, "publish": Communicate, "sent": Communicate, "approved": Communicate, "public": Communicate, "shared": Communicate,
		"signed": Legal, "accepted": Legal,
	}
	// flagKeys are set to true by what they name.
	flagKeys = map[string]Class{
		"deleted": Destroy, "isdeleted": Destroy, "delete": Destroy, "destroy": Destroy, "cancelled": Destroy, "canceled": Destroy, "iscancelled": Destroy, "cancel": Destroy,
		"cancelatperiodend": Destroy, "terminated": Destroy, "revoked": Destroy, "deactivated": Destroy, "isdeactivated": Destroy, "trashed": Destroy, "permanent": Destroy,
		"removeall": Destroy, "deleteall": Destroy, "unsubscribe": Destroy, "unsubscribed": Destroy, "optout": Destroy, "closeaccount": Destroy,
		"published": Communicate, "ispublished": Communicate, "publish": Communicate, "public": Communicate, "ispublic": Communicate, "makepublic": Communicate,
		"sendemail": Communicate, "sendmessage": Communicate, "approved": Communicate, "isapproved": Communicate,
		"acceptterms": Legal, "termsaccepted": Legal, "acceptedterms": Legal, "tosaccepted": Legal, "accepttos": Legal, "agreetoterms": Legal, "agreedtoterms": Legal,
		"termsagreed": Legal, "signed": Legal, "paynow": Purchase, "placeorder": Purchase, "confirmpurchase": Purchase, "confirmorder": Purchase, "autorenew": Settings,
	}
)

// flag judges a key that is set.
func (b *bodyReader) flag(key string) {
	if c := flagKeys[keyName(key)]; c != "" {
		b.soft = append(b.soft, finding{c, key})
	}
}

var (
	cardKeys     = wordSet("cardnumber ccnumber creditcard creditcardnumber pan encryptedcardnumber cardno number")
	codeKeys     = wordSet("cvc cvv cvv2 csc cvn securitycode cardcode encryptedsecuritycode cardcvc cardcvv verificationvalue")
	passwordKeys = wordSet("password passwd pwd passwort motdepasse contrasena senha newpassword currentpassword oldpassword passwordconfirm confirmpassword passwordconfirmation passcode otp otpcode totp " +
		"onetimecode verificationcode smscode mfacode twofactorcode pin")
	requestSums = wordSet("amount amt sum betrag montant importe importo valor summe amountminor amountcents totalamount transferamount")
	payees      = wordSet("payee payeeid recipient recipientid beneficiary beneficiaryid receiver receiverid creditor creditoriban iban toiban toaccount toaccountid destinationaccount destination " +
		"empfaenger beneficiaire beneficiario destinatario toaddress walletaddress")
	receivers = wordSet("to recipients recipient receivers cc bcc touser touserid torecipients emailto phonenumbers chatid conversationid threadid channelid roomid receiverid recipientid replyto inreplyto peerid")
	texts     = wordSet("text message body content comment messagebody messagetext msg subject htmlbody bodytext")
)

// kind notes a key by which a body is known.
func (b *bodyReader) kind(key, val string) {
	if val == "" {
		return
	}
	switch {
	case codeKeys[key]:
		b.code = true
	case cardKeys[key]:
		b.card = true
	case passwordKeys[key], strings.HasSuffix(key, "password"):
		b.password = true
	case requestSums[key]:
		b.sum = b.sum || strings.ContainsAny(val, "123456789")
	case texts[key]:
		b.text = true
	}
	b.payee = b.payee || payees[key] && !currencyCode(val)
	b.to = b.to || receivers[key] && !currencyCode(val)
}

// number notes a sum or a receiver that is sent as a number.
func (b *bodyReader) number(key, val string) {
	b.field(key, val)
	k := keyName(key)
	if requestSums[k] || payees[k] || receivers[k] || codeKeys[k] || cardKeys[k] {
		b.kind(k, val)
	}
}

// together adds what several keys say with one another.
func (b *bodyReader) together() {
	add := func(c Class, word string) { b.soft = append(b.soft, finding{c, word}) }
	if b.card && b.code {
		add(Purchase, "card number")
	}
	if b.sum && b.payee {
		add(Purchase, "amount, recipient")
	}
	if b.password {
		add(Identity, "password")
	}
	if b.to && b.text {
		add(Communicate, "recipient, message")
	}
}
