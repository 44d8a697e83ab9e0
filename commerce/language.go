package commerce

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
