package commandline_test

import (
	"flag"
	"io"
	"math"
	"strings"
	"testing"

	"cartd/internal/commandline"
)

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "1500000": 1_500_000, "64KiB": 64 << 10, "512MiB": 512 << 20, "2GiB": 2 << 30, "007KiB": 7 << 10,
		"9223372036854775807": math.MaxInt64, "8589934591GiB": 8589934591 << 30,
	} {
		if got, err := commandline.ParseBytes(text); got != want || err != nil {
			t.Errorf("ParseBytes(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "0", "0MiB", "-1", "+1", "1.5GiB", "1e9", "MiB", "512 MiB", "512MB", "512M", "512mib", " 1", "1TiB", "1KiBKiB", "0x10", "1_000",
		"9223372036854775808", "8589934592GiB", "99999999999999999999KiB",
	} {
		if got, err := commandline.ParseBytes(text); err == nil || !strings.Contains(err.Error(), "512MiB") {
			t.Errorf("ParseBytes(%q) = %d, %v; want an error with an example", text, got, err)
		}
	}
}

func TestFormatBytes(t *testing.T) {
	for bytes, want := range map[int64]string{
		1: "1", 1023: "1023", 1024: "1KiB", 1_500_000: "1500000", 3 << 20: "3MiB", 1 << 30: "1GiB", 1<<30 + 1<<20: "1025MiB",
	} {
		if got := commandline.FormatBytes(bytes); got != want {
			t.Errorf("FormatBytes(%d) = %q, want %q", bytes, got, want)
		}
	}
}

func TestBytesFlag(t *testing.T) {
	size := commandline.Bytes(512 << 20)
	fs := flag.NewFlagSet("x", flag.ContinueOnError)
	fs.Var(&size, "size", "a `size`")
	if err := commandline.Parse(fs, []string{"--size", "2GiB"}, io.Discard, "x"); err != nil || size != 2<<30 {
		t.Errorf("--size 2GiB is %d, %v", size, err)
	}
	err := commandline.Parse(fs, []string{"--size", "2GB"}, io.Discard, "x")
	const want = `--size="2GB": write a size above zero in bytes, KiB, MiB or GiB, such as 512MiB`
	if err == nil || err.Error() != want || size != 2<<30 {
		t.Errorf("--size 2GB is %d, %v; want %s", size, err, want)
	}
}
