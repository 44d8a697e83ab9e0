package convert

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"cartd/commerce"
)

var (
	// thousands is a whole number with a dot or comma at each three digits; one of them alone may be
	// meant as a decimal sign.
	dotThousands = regexp.MustCompile(`^[+-]?[0-9]{1,3}(\.[0-9]{3})+$`)
	// spaceThousands is a number with spaces or apostrophes at the thousands, as in French and Swiss tables.
	spaceThousands = regexp.MustCompile(`^[+-]?[0-9]{1,3}(?:(?: [0-9]{3})+|(?:\x{a0}[0-9]{3})+|(?:\x{202f}[0-9]{3})+|(?:['’][0-9]{3})+)(?:[.,][0-9]*)?$`)
	commaThousands = regexp.MustCompile(`^[+-]?[0-9]{1,3}(,[0-9]{3})+$`)
)

// maxNumber is the length of a number's text.
const maxNumber = 24

// number reads a decimal number, also with the sign of a currency and with marks at the thousands. A
// comma is the decimal sign only in tables that commas do not separate. What could be read in two ways
// is no number.
func (r *row) number(text string) (decimal.Decimal, bool) {
	text = strings.TrimFunc(text, func(c rune) bool { return unicode.IsSpace(c) || unicode.Is(unicode.Sc, c) })
	if spaceThousands.MatchString(text) {
		text = strings.Map(func(c rune) rune {
			if unicode.IsSpace(c) || c == '\'' || c == '’' {
				return -1
			}
			return c
		}, text)
	}
	whole, fraction, mark := text, "", r.mark(text)
	if mark != "" {
		whole, fraction, _ = strings.Cut(text, mark)
	}
	switch {
	case mark == "," && dotThousands.MatchString(whole):
		whole = strings.ReplaceAll(whole, ".", "")
	case mark == "." && commaThousands.MatchString(whole):
		whole = strings.ReplaceAll(whole, ",", "")
	case mark != "," && r.commas && dotThousands.MatchString(text): // 1.000 is a thousand, or one
		return decimal.Decimal{}, false
	}
	if mark != "" {
		whole += "." + fraction
	}
	if len(whole) > maxNumber || strings.ContainsAny(whole, "eE,") {
		return decimal.Decimal{}, false
	}
	n, err := decimal.NewFromString(whole)
	return n, err == nil
}

// mark is the decimal sign of a number, "" if it has none.
func (r *row) mark(text string) string {
	switch {
	case r.commas && strings.Contains(text, ","):
		return ","
	case strings.Contains(text, "."):
		return "."
	}
	return ""
}

// amount reads a price such as 19.99 in minor units.
func (r *row) amount(text string) (int64, bool) {
	price, ok := r.number(text)
	cents := price.Shift(2)
	if !ok || price.IsNegative() || !cents.IsInteger() || cents.GreaterThan(maxAmount) {
		return 0, false
	}
	return cents.IntPart(), true
}

// maxAmount is the maximum price of a document, in minor units.
var maxAmount = decimal.New(1, 12)

// percent reads a tax rate, and returns it in its shortest form.
func (r *row) percent(text string) (string, bool) {
	n, ok := r.number(strings.TrimSpace(strings.TrimSuffix(text, "%")))
	if !ok {
		return "", false
	}
	return shortPercent(n.String())
}

func shortPercent(text string) (string, bool) {
	p, err := commerce.ParsePercent(text)
	return p.String(), err == nil
}

// grams reads a weight in a unit of so many grams, rounded to three decimals: shops that weigh in pounds
// have more. 0 is none.
func (r *row) grams(text string, unit decimal.Decimal) (string, bool) {
	n, ok := r.number(text)
	if !ok {
		return "", false
	}
	n = n.Mul(unit).Round(gramPlaces)
	_, err := commerce.ParseGrams(true, n.String())
	return n.String(), err == nil
}

// gramPlaces are the decimals of a weight in grams.
const gramPlaces = 3

// words are yes and no in the languages of spreadsheets that write their own for true and false.
var words = map[string]bool{
	"yes": true, "true": true, "1": true, "y": true, "t": true, "on": true, "x": true,
	"ja": true, "wahr": true, "oui": true, "vrai": true, "si": true, "sí": true, "sì": true, "verdadero": true, "vero": true, "waar": true, "sim": true,
	"verdadeiro": true, "tak": true, "prawda": true, "sand": true, "sant": true,
	"no": false, "false": false, "0": false, "-1": false, "n": false, "f": false, "off": false, "-": false,
	"nein": false, "falsch": false, "non": false, "faux": false, "falso": false, "nee": false, "onwaar": false, "não": false,
	"nie": false, "fałsz": false, "nej": false, "falsk": false, "falskt": false,
}

// flag reads yes or no; an empty cell is what absent says, and an unknown word too, with a note.
func (d *Document) flag(r *row, handle string, f field, absent bool) bool {
	text := r.get(f)
	if text == "" {
		return absent
	}
	value, known := words[strings.ToLower(text)]
	if !known {
		d.sayOf(r.place, handle, changed, "%s %q is neither yes nor no: it counts as %s", r.name(f), shown(text), map[bool]string{true: "yes", false: "no"}[absent])
		return absent
	}
	return value
}

// oneLine replaces each run of spaces, line ends and control characters by a space.
func oneLine(text string) (string, bool) {
	if commerce.IsLine(text) {
		return text, false
	}
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool { return commerce.IsControl(c) || unicode.IsSpace(c) }), " "), true
}

// lines takes control characters out of a text of several lines.
func lines(text string) (string, bool) {
	if commerce.IsLines(text) {
		return text, false
	}
	return strings.Map(func(c rune) rune {
		if commerce.IsControl(c) && c != '\n' && c != '\t' {
			return -1
		}
		return c
	}, text), true
}

// text makes a text fit into a field of one line with at most limit characters. what names the field
// in a note.
func (d *Document) text(at place, handle, what, text string, limit int) string {
	text, cleaned := oneLine(text)
	if cleaned {
		d.sayOf(at, handle, changed, "%s was put on one line, without control characters", what)
	}
	text, cut := shortened(text, limit)
	if cut {
		d.sayOf(at, handle, changed, "%s was cut to %d characters", what, limit)
	}
	return text
}
