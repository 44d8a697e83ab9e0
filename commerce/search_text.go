package commerce

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// LowerText maps texts that differ only in case or in the form of their characters to the same text. It
// keeps accents, which belong to the endings of words. NormalizeText maps a text and its LowerText to the
// same text.
func LowerText(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	return strings.ToLower(norm.NFKC.String(text))
}

// NormalizeText maps texts that differ only in case or accents to the same text: NFKD, no marks,
// case folding, and then the letters that NFKD does not take apart. Products are found and sorted by
// normalized names.
func NormalizeText(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	unmarked := strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, norm.NFKD.String(text))
	return plainLetters.Replace(cases.Fold().String(unmarked))
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// plainLetters replaces Latin letters that have no decomposition by what is typed on a keyboard
// without them: a letter with a stroke by the letter, a ligature by its letters. Case folding has
// made ß into ss already.
var plainLetters = strings.NewReplacer(
	"ⱥ", "a", "ƀ", "b", "ȼ", "c", "đ", "d", "ɇ", "e", "ǥ", "g", "ħ", "h", "ɨ", "i", "ɉ", "j", "ł", "l", "ƚ", "l",
	"ø", "o", "ɍ", "r", "ŧ", "t", "ⱦ", "t", "ʉ", "u", "ɏ", "y", "ƶ", "z",
	"ı", "i", "ð", "d", "þ", "th", "ŋ", "n", "æ", "ae", "œ", "oe",
)

// Language is a language whose words the search knows in all their forms. docs/api/catalogue.md#search
type Language uint8

const (
	Arabic Language = iota
	Danish
	German
	English
	Spanish
	Finnish
	French
	Irish
	Hungarian
	Italian
	Dutch
	Norwegian
	Portuguese
	Romanian
	Russian
	Swedish
	Tamil
	Turkish
	languageCount
)

// MaxLanguages is the number of languages that a store may have.
const MaxLanguages = 3

// languageCodes are the codes of ISO 639-1.
var languageCodes = [languageCount]string{"ar", "da", "de", "en", "es", "fi", "fr", "ga", "hu", "it", "nl", "no", "pt", "ro", "ru", "sv", "ta", "tr"}

// String returns the language's code, as the document spells it.
func (l Language) String() string { return languageCodes[l] }

// ParseLanguage finds a language by its code.
func ParseLanguage(code string) (Language, bool) { return parseName[Language](languageCodes[:], code) }

// Languages is the set of a store's languages.
type Languages = Set[Language]

// AllLanguages is the set of all languages.
func AllLanguages() Languages { return 1<<languageCount - 1 }
