package commandline

import "testing"

func TestBytesAreParsedAndWritten(t *testing.T) {
	for _, c := range []struct {
		text    string
		bytes   int64
		written string
	}{
		{"0", 0, "0"},
		{"1000000", 1_000_000, "1000000"},
		{"64KiB", 64 << 10, "64KiB"},
		{"2048KiB", 2 << 20, "2MiB"},
		{"512MiB", 512 << 20, "512MiB"},
		{"2GiB", 2 << 30, "2GiB"},
		{"8589934591GiB", 8589934591 << 30, "8589934591GiB"},
		{"9223372036854775807", 1<<63 - 1, "9223372036854775807"},
	} {
		var b Bytes
		if err := b.Set(c.text); err != nil || int64(b) != c.bytes || b.String() != c.written {
			t.Errorf("%q: %d bytes, written %v, %v; want %d, %q", c.text, int64(b), b, err, c.bytes, c.written)
		}
	}
	for _, text := range []string{
		"", "GiB", "-1", "+1", "1.5GiB", "1 MiB", " 1", "1MB", "1M", "1mib", "0x10", "1_000",
		"9223372036854775808", "8589934592GiB", "1KiBKiB",
	} {
		if n, err := ParseBytes(text); err == nil {
			t.Errorf("%q is %d bytes; want an error", text, n)
		}
	}
}
