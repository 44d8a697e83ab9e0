package storefile

import (
	"fmt"
	"strings"
)

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
