package commerce

import (
	"testing"

	"github.com/google/uuid"
)

const anID = "6ba7b810-9dad-41d1-80b4-00c04fd430c8"

func TestParseIDAcceptsTheLongFormInAnyCase(t *testing.T) {
	want := uuid.MustParse(anID)
	for _, text := range []string{anID, "6BA7B810-9DAD-41D1-80B4-00C04FD430C8", "6ba7B810-9daD-41d1-80b4-00C04fd430c8"} {
		if got, ok := ParseID(text); got != want || !ok {
			t.Errorf("ParseID(%q) = %s, %v", text, got, ok)
		}
	}
	for _, text := range []string{"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"} {
		if got, ok := ParseID(text); got.String() != text || !ok {
			t.Errorf("ParseID(%q) = %s, %v", text, got, ok)
		}
	}
}

func TestAppendIDWritesEveryByte(t *testing.T) {
	for at := range len(uuid.UUID{}) {
		for b := range 256 {
			id := uuid.MustParse("01234567-89ab-cdef-fedc-ba9876543210")
			id[at] = byte(b)
			if got, want := string(AppendID([]byte("id "), id)), "id "+id.String(); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	}
}

func TestParseIDRefusesEveryOtherSpelling(t *testing.T) {
	for _, text := range []string{
		"", "{" + anID + "}", "urn:uuid:" + anID, "6ba7b8109dad41d180b400c04fd430c8", anID + " ", " " + anID[:35],
		"6ba7b810-9dad-41d1-80b4-00c04fd430cg", "6ba7b8109-dad-41d1-80b4-00c04fd430c8", "6ba7b810x9dad-41d1-80b4-00c04fd430c8",
		"6ba7b810-9dad-41d1-80b4000c04fd430c8", "6ba7b810-9dad-41d1-80b400-c04fd430c8", "6ba7b810-9dad-41d1-80b4-00c04fd430é",
	} {
		if got, ok := ParseID(text); got != uuid.Nil || ok {
			t.Errorf("ParseID(%q) = %s, %v; want a refusal", text, got, ok)
		}
	}
}

func TestParseIDDoesNotAllocate(t *testing.T) {
	for _, text := range []string{anID, "no id"} {
		if n := testing.AllocsPerRun(100, func() { ParseID(text) }); n != 0 {
			t.Errorf("ParseID(%q): %v allocations; want none", text, n)
		}
	}
}

// FuzzParseID compares with uuid.Parse, which accepts other lengths too.
func FuzzParseID(f *testing.F) {
	f.Add(anID)
	f.Add("6ba7b810-9dad-41d1-80b4-00c04fd430cg")
	f.Add("00000000-0000-0000-0000-000000000000")
	f.Fuzz(func(t *testing.T, text string) {
		want, err := uuid.Parse(text)
		wantOK := err == nil && len(text) == 36
		if !wantOK {
			want = uuid.Nil
		}
		if got, ok := ParseID(text); got != want || ok != wantOK {
			t.Fatalf("ParseID(%q) = %s, %v; want %s, %v", text, got, ok, want, wantOK)
		}
	})
}
