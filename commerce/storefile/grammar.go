package storefile

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"cartd/commerce"
)

// The kinds of text that a document holds, as a schema says them. What reads a
// text of some kind is the rule; that the patterns say the same is for the tests.
// They are written so that every dialect of regular expressions reads them alike.
var (
	anyText     = &schema{kind: "string"}
	someText    = &schema{name: "text", kind: "string", is: "a text that is not empty", least: 1}
	visibleText = &schema{kind: "string", is: "a text of more than white space", patterns: []string{`[^` + class(unicode.White_Space) + `]`}}

	aUUID = grammar("uuid", "a UUID", `^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`, `[1-9A-Fa-f]`)
	aHash = grammar("sha256", "a SHA-256 in hexadecimal", `^[0-9A-Fa-f]{64}$`)
	aTime = grammar("time", "a time like 2030-01-01T00:00:00Z",
		`^(?:`+dateOfAnyYear+`|`+leapDay+`)T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$`)

	aPercent = grammar("percent", "a decimal string from 0 to 100 with at most 9 decimals",
		decimals(9, int64(commerce.Hundred)))
	aStock = grammar("stock", "a decimal string from 0 to 9000000000 with at most 6 decimals",
		decimals(6, int64(maxStock)))
	aUsage = grammar("usage", "a decimal string above 0 and at most 9223372036854.775807 with at most 6 decimals",
		decimals(6, int64(maxUsage)), aboveZero)
	aQuantity = grammar("quantity", "a decimal string above 0 and at most 99999999.999 with at most 3 decimals",
		`^[0-9]{1,8}(?:\.[0-9]{1,3})?$`, aboveZero)

	anEmail = grammar("email", "an e-mail address",
		`^`+localLabel+`(?:\.`+localLabel+`)*@`+domainLabel+`(?:\.`+domainLabel+`)*$`)
	aWebhookURL = grammar("url", "an absolute http or https URL", `^[Hh][Tt][Tt][Pp][Ss]?://`)
	// The base64 of 24 to 62 bytes, or of 63 and 64.
	aWebhookSecret = grammar("webhook_secret", "whsec_ and the base64 of 24 to 64 bytes",
		`^whsec_(?:(?:`+base64Sign+`{4}){8,20}(?:`+base64Sign+`{2}==|`+base64Sign+`{3}=)?|(?:`+base64Sign+`{4}){21}(?:`+base64Sign+`{2}==)?)$`)
	aPasswordHash = grammar("password_hash", fmt.Sprintf("a bcrypt hash of cost at most %d, or an argon2id hash of at most m=%d (%d MiB), t=%d, p=%d",
		commerce.MaxBcryptCost, commerce.MaxArgonMemory, commerce.MaxArgonMemory/1024, commerce.MaxArgonPasses, commerce.MaxArgonLanes), `^\$(?:2|argon2id\$)`)
)

const (
	dateOfAnyYear = `[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))`
	leapDay       = `(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29`

	aboveZero  = `[1-9]`
	base64Sign = `[A-Za-z0-9+/]`
)

var (
	localLabel  = "(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]|" + beyondASCII + ")+"
	domainLabel = `(?:` + domainSign + `(?:(?:` + domainSign + `|-){0,61}` + domainSign + `)?)`
	domainSign  = `(?:[A-Za-z0-9]|` + beyondASCII + `)`
	// beyondASCII is any sign but space and control characters: not every dialect has a
	// class of what can be printed.
	beyondASCII = `[^\x00-\xa0` + class(unicode.White_Space, zeroWidth) + `]`
)

// grammar is a kind of text with a name. Its words fit behind "must be".
func grammar(name, is string, patterns ...string) *schema {
	return &schema{name: name, kind: "string", is: is, patterns: patterns}
}

// decimals matches the plain decimals of at most limit units of 10^-places. Zeros
// at the front and, beyond the places, at the end do not count.
func decimals(places int, limit int64) string {
	digits := fmt.Sprintf("%0*d", places+1, limit)
	whole, fraction := digits[:len(digits)-places], digits[len(digits)-places:]
	below := []string{fmt.Sprintf(`[0-9]{1,%d}`, len(whole)-1)}
	for i, digit := range whole {
		if digit > '0' {
			below = append(below, fmt.Sprintf(`%s[0-%c][0-9]{%d}`, whole[:i], digit-1, len(whole)-1-i))
		}
	}
	return fmt.Sprintf(`^0*(?:(?:%s)(?:\.[0-9]{1,%d}0*)?|%s(?:\.(?:%s))?)$`,
		strings.Join(below, "|"), places, whole, strings.Join(notAbove(fraction), "|"))
}

// notAbove matches the fractions that are not above one.
func notAbove(fraction string) (patterns []string) {
	rest := len(fraction)
	for i, digit := range fraction {
		rest--
		below := fmt.Sprintf(`[0-%c][0-9]{0,%d}`, digit-1, rest)
		switch {
		case i == 0 && digit == '0':
		case i == 0:
			patterns = append(patterns, below+`0*`)
		case digit == '0':
			patterns = append(patterns, fraction[:i]+`0*`)
		default:
			patterns = append(patterns, fraction[:i]+`(?:`+below+`)?0*`)
		}
	}
	digits := strings.TrimRight(fraction, "0")
	if digits == "" {
		digits = "0"
	}
	return append(patterns, digits+`0*`)
}

// line is a text of least to most characters, not counting the space around it.
func line(least, most int) *schema {
	space := class(unicode.White_Space, zeroWidth)
	visible := `[^` + space + `]`
	text := fmt.Sprintf(`%s[\s\S]{0,%d}%s`, visible, most-2, visible)
	if least < 2 {
		text = fmt.Sprintf(`%s(?:[\s\S]{0,%d}%s)?`, visible, most-2, visible)
	}
	if least < 1 {
		text = `(?:` + text + `)?`
	}
	count := fmt.Sprintf("%d to %d", least, most)
	if least == most {
		count = strconv.Itoa(most)
	}
	return &schema{
		kind: "string", is: count + " characters, not counting the space around them",
		patterns: []string{`^[` + space + `]*` + text + `[` + space + `]*$`},
	}
}

// class lists the characters of tables for use between brackets; none is beyond
// 16 bits.
func class(tables ...*unicode.RangeTable) string {
	var list strings.Builder
	for _, table := range tables {
		for _, r := range table.R16 {
			for char := rune(r.Lo); char <= rune(r.Hi); char += rune(r.Stride) {
				list.WriteRune(char)
			}
		}
	}
	return list.String()
}
