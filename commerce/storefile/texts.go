package storefile

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"cartd/commerce"
	"cartd/internal/openapi"
)

// A document from Redis is read and not judged by the bounds of this file, because a later release may have
// more of them. A change set may leave an entry as it is.

// The kinds of texts. A member without a value is empty.
var (
	text  = judged(openapi.Text.MinLength(1).Pattern(oneLine, visible).About("a text of one line that is more than space").Definition("text"), value.text)
	line  = unlessZero(judged(openapi.Text.Pattern(oneLine).About("a text of one line").Definition("line"), value.remark))
	lines = marked(judged(openapi.Text.Pattern(severalLines).About("a text of one or more lines; CR LF and CR become LF").Definition("lines"),
		value.description), unified)
	name = judged(openapi.Text.MinLength(1).MaxLength(commerce.MaxName).Pattern(oneLine, visible).
		About(fmt.Sprintf("a text of one line of 1 to %d characters that is more than space", commerce.MaxName)).Definition("name"), value.name)
	properName = unlessZero(judged(openapi.Text.MaxLength(commerce.MaxName).Pattern(oneLine), value.properName))
	password   = marked(judged(openapi.Text.MinLength(1).Pattern(withoutNUL).About("a text that is not empty").Definition("password"),
		value.password), confidential)
)

// uniqueName is the kind of names that are unique in a register of the document.
func uniqueName(in func(d *document) *register[string]) kind[string] {
	k := then(unique(text, in), func(_ *document, f value, v *string) { f.judgeLength(*v, commerce.MaxName) })
	k.Schema = name.Schema
	return unlessZero(k)
}

const noControls = "must not contain control characters"

// judged reports whether the bounds that a stored document may break hold for the value: the document
// is new, or a change set has sent the value.
func (f value) judged() bool {
	return !f.d.kept && (f.d.storedFrom == 0 || f.raw.Offset(f.d.root) < f.d.storedFrom) && (f.d.merged == nil || f.d.merged.isSent(f.raw.Offset(f.d.root)))
}

// judgeLine refuses control characters in a text of one line.
func (f value) judgeLine(text string) {
	if !f.d.kept && !commerce.IsLine(text) && f.judged() {
		f.fault(noControls)
	}
}

// judgeVerbatim refuses U+0000 in a text that may have any other character.
func (f value) judgeVerbatim(text string) {
	if commerce.HasNUL(text) && f.judged() {
		f.fault(noControls)
	}
}

// judgeLength refuses a text of more characters than limit.
func (f value) judgeLength(text string, limit int) {
	if len(text) > limit && utf8.RuneCountInString(text) > limit && f.judged() {
		f.tooLong(limit)
	}
}

// judgeNumber refuses a number that is written too long: an export passes it on.
func (f value) judgeNumber() {
	if len(f.raw) > commerce.MaxNumberLength && f.judged() {
		f.conflict(fmt.Sprintf("must have at most %d characters", commerce.MaxNumberLength))
	}
}

// remark reads a text of one line that may be empty, "" if it is absent.
func (f value) remark() string {
	text, _ := f.str()
	f.judgeLine(text)
	return text
}

// text reads a text of one line that is not empty, and not space alone: a SKU, label, key or token.
func (f value) text() string {
	text, ok := f.str()
	if ok && (text == "" || f.blank(text)) {
		f.fault("must not be empty")
	}
	f.judgeLine(text)
	return text
}

// blank reports whether a text is space alone, where that is judged.
func (f value) blank(text string) bool { return commerce.Trim(text) == "" && f.judged() }

// name reads a name or slug.
func (f value) name() string {
	text := f.text()
	f.judgeLength(text, commerce.MaxName)
	return text
}

// properName reads a name of a person or company, "" if it is absent.
func (f value) properName() string {
	text := f.remark()
	f.judgeLength(text, commerce.MaxName)
	return text
}

// description reads a text of several lines, whose ends become LF; "" if it is absent.
func (f value) description() string {
	text, _ := f.str()
	text = commerce.UnifyLines(text)
	if !f.d.kept && !commerce.IsLines(text) && f.judged() {
		f.fault(noControls)
	}
	return text
}

// password reads a password, "" if it is absent.
func (f value) password() string {
	text, ok := f.str()
	if ok && text == "" {
		f.fault("must not be empty")
	}
	f.judgeVerbatim(text)
	return text
}

// judgeLocation refuses a text that is no page of a shop. A browser reads \ as a slash, and //host as
// another host.
func (f value) judgeLocation(text string) {
	scheme, _, absolute := strings.Cut(text, "://")
	second := strings.TrimPrefix(text, "/")
	switch {
	case f.d.kept || text == "":
	case absolute && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")):
		if u, err := url.Parse(text); (err != nil || u.Hostname() == "") && f.judged() {
			f.conflict("must be " + aLocation)
		}
	case second == text || strings.HasPrefix(second, "/") || strings.HasPrefix(second, `\`):
		if f.judged() {
			f.mustBe(aLocation)
		}
	}
}

// The regular expressions of ECMA-262 that the document's schema has for texts.
const (
	// controls are the characters that a text of one line may not have, space those that are nothing to see.
	controls = `\x00-\x1f\x7f-\x9f`
	breaks   = "\u2028\u2029"
	blanks   = "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
	space    = blanks + "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"

	oneLine      = `^[^` + controls + breaks + `]*$`
	severalLines = `^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f` + breaks + `]*$`
	withoutNUL   = `^[^\x00]*$`
	notBlank     = `[^` + blanks + `]`
	visible      = `[^` + space + `]` // with one, a text is more than space

	day = `(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))` +
		`|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)`
	moment = `^` + day + `T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$`

	// A mailbox is atoms with dots between them, a domain is labels.
	beyondASCII = `[^\x00-\xa0` + space + `]`
	atom        = "(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]|" + beyondASCII + ")+"
	letter      = `(?:[A-Za-z0-9]|` + beyondASCII + `)`
	label       = `(?:` + letter + `(?:(?:` + letter + `|-){0,61}` + letter + `)?)`
	mailbox     = `^` + atom + `(?:\.` + atom + `)*@` + label + `(?:\.` + label + `)*$`
)

// trimmed matches texts of one line of shortest to longest characters, without the space around them.
func trimmed(shortest, longest int) string {
	const edge, inner = `[^` + space + controls + `]`, `[^` + controls + breaks + `]`
	rest := fmt.Sprintf(`%s{%d,%d}%s`, inner, max(0, shortest-2), longest-2, edge)
	switch shortest {
	case 0:
		rest = `(?:` + edge + `(?:` + rest + `)?)?`
	case 1:
		rest = edge + `(?:` + rest + `)?`
	default:
		rest = edge + rest
	}
	return `^[` + space + `]*` + rest + `[` + space + `]*$`
}

// either matches what one of two whole patterns matches, negative a minus and what a whole pattern matches.
func either(a, b string) string      { return `^(?:` + inner(a) + `|` + inner(b) + `)$` }
func negative(pattern string) string { return `^-` + inner(pattern) + `$` }

// inner is a whole pattern without its ends.
func inner(pattern string) string { return strings.TrimSuffix(strings.TrimPrefix(pattern, `^`), `$`) }

// decimal matches numbers up to a limit with at most this number of decimals, and any zeros ahead and behind.
func decimal(limit string, decimals int) string {
	whole, part, _ := strings.Cut(limit, ".")
	lower := []string{fmt.Sprintf(`[0-9]{1,%d}`, len(whole)-1)}
	for i, digit := range whole {
		if digit > '1' || digit == '1' && i > 0 { // a first digit of 0 is a zero ahead
			lower = append(lower, fmt.Sprintf(`%s[0-%c][0-9]{%d}`, whole[:i], digit-1, len(whole)-i-1))
		}
	}
	fractions := []string{}
	if part == "" {
		fractions = append(fractions, `0+`)
	}
	for i, digit := range part {
		if digit > '0' {
			fractions = append(fractions, fmt.Sprintf(`%s[0-%c][0-9]{0,%d}0*`, part[:i], digit-1, len(part)-i-1))
		}
		fractions = append(fractions, part[:i+1]+`0*`)
	}
	return fmt.Sprintf(`^0*(?:(?:%s)(?:\.[0-9]{1,%d}0*)?|%s(?:\.(?:%s))?)$`,
		strings.Join(lower, "|"), decimals, whole, strings.Join(fractions, "|"))
}

// The names of a document's kinds of text in its faults.
const (
	aUUID = "a UUID"
	aHash = "a SHA-256 in hexadecimal"
	aTime = "a time like 2030-01-01T00:00:00Z"
	aDate = "a date like 2030-01-01"

	aPercent  = "a decimal string from 0 to 100 with at most 9 decimals"
	aStock    = "a decimal string from -100000000 to 9000000000 with at most 6 decimals"
	aLimit    = "a decimal string from 0 to 100000000 with at most 6 decimals"
	aUsage    = "a decimal string above 0 and at most 9223372036854.775807 with at most 6 decimals"
	aQuantity = "a decimal string above 0 and at most 99999999.999 with at most 3 decimals"
	aWeight   = "a number or a decimal string from 0 to 1000000000 with at most 3 decimals"

	aLocation      = "an http or https URL, or a path that begins with one slash"
	aMediaURL      = "an https:// URL, or a path that begins with one slash"
	aCountry       = "two letters"
	anEmail        = "an e-mail address"
	aWebhookURL    = "an absolute http or https URL"
	aWebhookSecret = "whsec_ and the base64 of 24 to 64 bytes"
)

var aDisplay = fmt.Sprintf("at most %d bytes of media, attributes and metadata, those of its variants included", commerce.MaxDisplayBytes)

var aPasswordHash = fmt.Sprintf("a bcrypt hash of cost at most %d, or an argon2id hash of at most m=%d (%d MiB), t=%d, p=%d",
	commerce.MaxBcryptCost, commerce.MaxArgonMemory, commerce.MaxArgonMemory/1024, commerce.MaxArgonPasses, commerce.MaxArgonLanes)
