package commerce

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
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
// address has one spelling, whatever keyboard wrote it: LowerEmail. It does not check the total length. Both parts
// are texts separated by dots, none of them empty. Comments, quoted local parts, display names and
// address literals are refused. Spec: PATCH body (Carts), email.
func ParseEmail(text string) (lower string, ok bool) {
	local, domain, _ := strings.Cut(text, "@")
	if !utf8.ValidString(text) || !everyLabel(local, localLabel) || !everyLabel(asciiDots.Replace(domain), domainLabel) {
		return "", false
	}
	return LowerEmail(text), true
}

// asciiDots replaces the characters that are a dot in a domain as well (IDNA2003, 3.1; UTS #46).
var asciiDots = strings.NewReplacer("\u3002", ".", "\uff0e", ".", "\uff61", ".")

// LowerEmail returns an address in lower case and NFC. Its domain has plain dots, and labels in Unicode in
// place of punycode: xn--bcher-kva.example is bücher.example.
func LowerEmail(text string) string {
	lower := norm.NFC.String(strings.ToLower(text))
	local, domain, found := strings.Cut(lower, "@")
	if !found {
		return lower
	}
	labels := strings.Split(asciiDots.Replace(domain), ".")
	for i, label := range labels {
		labels[i] = unicodeLabel(label)
	}
	return local + "@" + strings.Join(labels, ".")
}

// unicodeLabel decodes a label of punycode, if it is what its decoded text is encoded to and that text is a label
// in its one spelling; else it stays as it is.
func unicodeLabel(label string) string {
	if !strings.HasPrefix(label, "xn--") {
		return label
	}
	decoded, err := idna.Punycode.ToUnicode(label)
	if err != nil || decoded == "" || !domainLabel(decoded) || asciiDots.Replace(decoded) != decoded || norm.NFC.String(strings.ToLower(decoded)) != decoded {
		return label
	}
	if encoded, err := idna.Punycode.ToASCII(decoded); err != nil || encoded != label {
		return label
	}
	return decoded
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
