package commerce

// Percent is a percentage in billionths of a percent: 21 % is 21_000_000_000.
type Percent int64

// Hundred is 100 %.
const Hundred Percent = 100 * 1_000_000_000

const percentPlaces = 9

// ParsePercent reads a plain decimal from 0 to 100. It fails if the text is no plain decimal, has
// more than 9 decimals (zeros at the end do not count) or exceeds 100.
func ParsePercent(text string) (Percent, error) {
	p, err := parseFixed(text, percentPlaces, int64(Hundred))
	return Percent(p), err
}

// AppendJSON writes the percentage as the shortest JSON number: 21, 5.5.
func (p Percent) AppendJSON(dst []byte) []byte { return appendFixed(dst, int64(p), percentPlaces) }

// String returns the percentage as the shortest decimal.
func (p Percent) String() string { return string(p.AppendJSON(nil)) }
