package commandline

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// byteUnits are the suffixes of a size, the largest first.
var byteUnits = []struct {
	suffix string
	bytes  int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"", 1}}

var errBytes = errors.New("write a size in bytes such as 1000000, 64KiB, 512MiB or 2GiB")

// ParseBytes parses a size: a whole number of bytes, or one followed by KiB, MiB or GiB.
func ParseBytes(text string) (int64, error) {
	for _, unit := range byteUnits {
		digits, found := strings.CutSuffix(text, unit.suffix)
		if !found {
			continue
		}
		n, err := strconv.ParseUint(digits, 10, 63)
		if err != nil || int64(n) > math.MaxInt64/unit.bytes {
			return 0, errBytes
		}
		return int64(n) * unit.bytes, nil
	}
	return 0, errBytes
}

// Bytes is a flag whose value is a size.
type Bytes int64

// String writes the size in the largest unit that divides it.
func (b Bytes) String() string {
	for _, unit := range byteUnits {
		if b != 0 && int64(b)%unit.bytes == 0 {
			return strconv.FormatInt(int64(b)/unit.bytes, 10) + unit.suffix
		}
	}
	return strconv.FormatInt(int64(b), 10)
}

// Set parses the flag's value.
func (b *Bytes) Set(text string) error {
	n, err := ParseBytes(text)
	if err == nil {
		*b = Bytes(n)
	}
	return err
}
