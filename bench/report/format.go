package report

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cartd/bench"
)

// whole writes a number without decimals, in groups of three.
func whole(f float64) string {
	digits := fmt.Sprintf("%.0f", f)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// rateText writes a rate, below ten with two digits.
func rateText(f float64) string {
	if f < 10 {
		return bench.RateText(f)
	}
	return whole(f)
}

// date writes a moment in UTC.
func date(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

func decimal(f float64) string {
	if f >= 100 {
		return whole(f)
	}
	return fmt.Sprintf("%.1f", f)
}

// duration writes microseconds.
func duration(us float64) string {
	switch {
	case us >= 1e6:
		return fmt.Sprintf("%.2f s", us/1e6)
	case us >= 1e4:
		return fmt.Sprintf("%.0f ms", us/1e3)
	case us >= 1e3:
		return fmt.Sprintf("%.2f ms", us/1e3)
	}
	return fmt.Sprintf("%.0f µs", us)
}

// ratioText writes a ratio, or a number of bytes.
func ratioText(r *bench.Ratio, value float64) string {
	if r.Measure == "bytes" {
		return whole(value) + " B"
	}
	return fmt.Sprintf("%.2f", value)
}

// askedText writes the bounds of a ratio, a dash if there are none.
func askedText(r *bench.Ratio) string {
	switch {
	case r.Min > 0 && r.Max > 0:
		return ratioText(r, r.Min) + " – " + ratioText(r, r.Max)
	case r.Min > 0:
		return "≥ " + ratioText(r, r.Min)
	case r.Max > 0:
		return "≤ " + ratioText(r, r.Max)
	}
	return "–"
}

func metText(r *bench.Ratio) string {
	switch asked, met := r.Asked(); {
	case !asked:
		return ""
	case met:
		return "yes"
	}
	return "no"
}

// spread writes the minimum and the maximum of a ratio's pairs.
func spread(r *bench.Ratio) string {
	return ratioText(r, slices.Min(r.Pairs)) + " – " + ratioText(r, slices.Max(r.Pairs))
}

// columns writes rows in aligned columns. The first left columns are aligned to the left, the others
// to the right.
func columns(rows [][]string, left int) string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i < left {
				line += cell + pad + "  "
			} else {
				line += pad + cell + "  "
			}
		}
		text.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return text.String()
}
