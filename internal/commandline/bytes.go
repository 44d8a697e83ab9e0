package commandline

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// byteUnit is a unit of sizes.
type byteUnit struct {
	name  string
	bytes int64
}

// byteUnits are all units, the largest first. The last has the empty name, so it fits every text.
var byteUnits = []byteUnit{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"", 1}}

var errBytes = errors.New("write a size above zero in bytes, KiB, MiB or GiB, such as 512MiB")

// ParseBytes reads a size: a whole number above zero of bytes, KiB, MiB or GiB. The error names
// the accepted form.
func ParseBytes(text string) (int64, error) {
	unit := byteUnits[slices.IndexFunc(byteUnits, func(u byteUnit) bool { return strings.HasSuffix(text, u.name) })]
	n, err := strconv.ParseInt(strings.TrimSuffix(text, unit.name), 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/unit.bytes || text[0] == '+' {
		return 0, errBytes
	}
	return n * unit.bytes, nil
}

// FormatBytes writes a size as a whole number of the largest possible unit.
func FormatBytes(bytes int64) string {
	unit := byteUnits[slices.IndexFunc(byteUnits, func(u byteUnit) bool { return bytes%u.bytes == 0 })]
	return strconv.FormatInt(bytes/unit.bytes, 10) + unit.name
}

// Bytes is the value of a flag that takes a size.
type Bytes int64

// Set reads the size.
func (b *Bytes) Set(text string) error {
	n, err := ParseBytes(text)
	if err == nil {
		*b = Bytes(n)
	}
	return err
}

// String returns the size as FormatBytes writes it.
func (b Bytes) String() string { return FormatBytes(int64(b)) }
