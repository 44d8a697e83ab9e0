package commerce

// Country is an ISO 3166-1 alpha-2 code in upper case.
type Country [2]byte

// ParseCountry reads a code in any letter case. It returns false if the text is not two ASCII
// letters.
func ParseCountry(text string) (Country, bool) {
	if len(text) != CountryLength {
		return Country{}, false
	}
	c := Country{text[0] &^ 0x20, text[1] &^ 0x20}
	for _, letter := range c {
		if letter < 'A' || letter > 'Z' {
			return Country{}, false
		}
	}
	return c, true
}

// String returns the code; empty for zero.
func (c Country) String() string {
	if c == (Country{}) {
		return ""
	}
	return string(c[:])
}

// Country checks a country of delivery: two letters, or blank. It returns nil without one.
func (f *Faults) Country(field, text string) *Country {
	if text == "" {
		return nil
	}
	f.Line(field, text)
	country, ok := ParseCountry(text)
	if !ok {
		f.Add(field, MsgSize(field, CountryLength))
	}
	return &country
}
