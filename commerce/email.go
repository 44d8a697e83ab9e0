package commerce

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	// MaxEmail is the maximum number of code points in an e-mail address.
	MaxEmail       = 255
	maxDomainLabel = 63 // code points
)

// Email checks the address in a field and returns it in lower case.
func (f *Faults) Email(field, text string) string {
	lower, ok := ParseEmail(text)
	if !ok {
		f.Add(field, MsgEmail(field))
	}
	AtMost(MaxEmail)(f, field, text)
	return lower
}

// ParseEmail checks an e-mail address and returns it in Unicode lower case and NFC, so that one
// address has one spelling, whatever keyboard wrote it. It does not check the total length. Both parts
// are texts separated by dots, none of them empty. Comments, quoted local parts, display names and
// address literals are refused. Spec: PATCH body (Carts), email.
func ParseEmail(text string) (lower string, ok bool) {
	local, domain, _ := strings.Cut(text, "@")
	if !utf8.ValidString(text) || !everyLabel(local, localLabel) || !everyLabel(domain, domainLabel) {
		return "", false
	}
	return LowerEmail(text), true
}

// LowerEmail returns an address in lower case and NFC.
func LowerEmail(text string) string { return norm.NFC.String(strings.ToLower(text)) }

// StoredEmails are the spellings under which an address may be stored: in NFC, and in NFD from an
// earlier release.
func StoredEmails(email string) []string {
	if decomposed := norm.NFD.String(email); decomposed != email {
		return []string{email, decomposed}
	}
	return []string{email}
}

// everyLabel reports whether each text between the dots is not empty and meets a rule.
func everyLabel(part string, rule func(string) bool) bool {
	for label := range strings.SplitSeq(part, ".") {
		if label == "" || !rule(label) {
			return false
		}
	}
	return true
}

// localSigns are the ASCII signs of a local part besides letters and digits (RFC 5322, atext).
const localSigns = "!#$%&'*+-/=?^_`{|}~"

func localLabel(label string) bool {
	for _, r := range label {
		if !wordRune(r) && !strings.ContainsRune(localSigns, r) {
			return false
		}
	}
	return true
}

func domainLabel(label string) bool {
	for _, r := range label {
		if !wordRune(r) && r != '-' {
			return false
		}
	}
	return label[0] != '-' && label[len(label)-1] != '-' && utf8.RuneCountInString(label) <= maxDomainLabel
}

// wordRune reports whether r is an ASCII letter or digit, or printable beyond ASCII. A space or a
// control character is none of these.
func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsPrint(r)
}
