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
