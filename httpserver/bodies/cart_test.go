package bodies

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"cartd/commerce"
	"cartd/internal/answers"
)

// Spec: PATCH body (Carts), email. Package commerce has the rules of an address.
func TestCartEmail(t *testing.T) {
	const (
		notString = "email: The email field must be a string."
		notEmail  = "email: The email field must be a valid email address."
		tooLong   = "The email field must not be greater than 255 characters."
	)
	long := func(n int) string { return strings.Repeat("é", n-len("@example.com")) + "@example.com" }
	for _, row := range []struct{ sent, email, fault string }{
		{`"ADA@Example.COM"`, "ada@example.com", ""},
		{`"\u200b \u00a0ada@example.com\ufeff\n"`, "ada@example.com", ""},
		{`"  ` + long(255) + `  "`, long(255), ""},
		{`"` + long(256) + `"`, "", "email: " + tooLong},
		{`"` + strings.Repeat("a", 256) + `"`, "", notEmail + " | " + tooLong},
		{`"nonsense"`, "", notEmail},
		{`null`, "", notString},
		{`"  \u200b"`, "", notString},
		{`12`, "", notString},
		{`[]`, "", notString},
	} {
		body := `{"email":` + row.sent + `}`
		patch, fault := CartPatch.Read(Parse([]byte(body)))
		if faultsOf(fault) != row.fault {
			t.Errorf("%s: got %s, want %s", body, faultsOf(fault), row.fault)
		}
		if row.fault == "" && (patch.Email == nil || *patch.Email != row.email) {
			t.Errorf("%s: got %v, want %s", body, patch.Email, row.email)
		}
		checkFault(t, body, fault)
	}
}

// showMetadata writes the decoded map: s for strings, j for other values.
func showMetadata(p commerce.PatchCart) string {
	switch {
	case !p.MetadataSent:
		return "absent"
	case p.Metadata == nil:
		return "null"
	}
	entries := []string{}
	for _, e := range p.Metadata {
		kind := "j"
		if e.Value.IsString {
			kind = "s"
		}
		entries = append(entries, e.Key+"="+kind+":"+e.Value.Text)
	}
	return "{" + strings.Join(entries, ",") + "}"
}

// Spec: PATCH body (Carts), metadata.
func TestCartMetadata(t *testing.T) {
	const notMap = "metadata: The metadata field must be an array."
	scalar := func(key string) string {
		return fmt.Sprintf("metadata.%s: The metadata.%[1]s field must be a string, number, boolean or null.", key)
	}
	keys := func(n int, value string) string {
		var members []string
		for i := range n {
			members = append(members, fmt.Sprintf(`"k%d":%s`, i, value))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	const tooMany = "metadata: The metadata field must not have more than 16 items."
	for _, row := range []struct{ body, read, fault string }{
		{`{}`, "absent", ""},
		{`{"Metadata":{"a":1}}`, "absent", ""},
		{`{"metadata":null}`, "null", ""},
		{`{"metadata":{"a":"` + strings.Repeat("é", 8191) + `x"}}`, "{a=s:" + strings.Repeat("é", 8191) + "x}", ""},
		{`{"metadata":{"a":"` + strings.Repeat("é", 8192) + `"}}`, "", "metadata: The metadata field must not be greater than 16384 bytes."},
		{`{"metadata":{}}`, "{}", ""},
		{`{"metadata":[]}`, "{}", ""},
		{`{"metadata":{"b":"x","a":1}}`, "{b=s:x,a=j:1}", ""},
		{`{"metadata":{"a":"  untouched \u200b"}}`, "{a=s:  untouched \u200b}", ""},
		{`{"metadata":{"a":"","b":null,"c":true,"d":false}}`, "{a=s:,b=j:null,c=j:true,d=j:false}", ""},
		{`{"metadata":{"a":1.50,"b":-0,"c":1e300,"d":12345678901234567890.10,"e":1E-2}}`, "{a=j:1.50,b=j:-0,c=j:1e300,d=j:12345678901234567890.10,e=j:1E-2}", ""},
		{`{"metadata":{"":"empty","a.b":"dot","\u00e9\"":"\n"}}`, "{=s:empty,a.b=s:dot,é\"=s:\n}", ""},
		{`{"metadata":{"a":1,"b":2,"a":3}}`, "{a=j:3,b=j:2}", ""},
		{`{"metadata":` + keys(16, "1") + `}`, showKeys(16), ""},
		{`{"metadata":{"k0":0,` + keys(16, "1")[1:] + `}`, showKeys(16), ""},
		{`{"metadata":` + keys(17, "1") + `}`, "", tooMany},
		{`{"metadata":"x"}`, "", notMap},
		{`{"metadata":1}`, "", notMap},
		{`{"metadata":[1]}`, "", notMap},
		{`{"metadata":{"a":[]}}`, "", scalar("a")},
		{`{"metadata":{"a_b":{"c":1},"x":1,"y.z":[1]}}`, "", scalar("a_b") + "; " + scalar("y.z")},
		{`{"metadata":{"k0":[],` + keys(17, "1")[1:] + `}`, "", tooMany},
		{`{"metadata":{"bad":[],` + keys(17, "1")[1:] + `}`, "", tooMany}, // the entries of a map that is too long are not judged
		{`{"metadata":{"a":[]},"email":1}`, "", "email: The email field must be a string.; " + scalar("a")},
	} {
		patch, fault := CartPatch.Read(Parse([]byte(row.body)))
		if faultsOf(fault) != row.fault {
			t.Errorf("%s: got %s, want %s", row.body, faultsOf(fault), row.fault)
		}
		if got := showMetadata(patch); row.fault == "" && got != row.read {
			t.Errorf("%s: got %s, want %s", row.body, got, row.read)
		}
		checkFault(t, row.body, fault)
	}
}

func showKeys(n int) string {
	var entries []string
	for i := range n {
		entries = append(entries, fmt.Sprintf("k%d=j:1", i))
	}
	return "{" + strings.Join(entries, ",") + "}"
}

func FuzzDecodeCartPatch(f *testing.F) {
	for _, seed := range []string{"", "{}", "[", `{"email":"Ada@example.com"}`, `{"email":null,"metadata":{"a":1.50,"b":[],"a":"x"}}`,
		`{"metadata":[]}`, `{"metadata":null}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		patch, fault := CartPatch.Read(Parse(body))
		checkFault(t, string(body), fault)
		if fault != nil {
			return
		}
		if patch.Email != nil && (*patch.Email == "" || utf8.RuneCountInString(*patch.Email) > commerce.MaxEmail) {
			t.Errorf("%q: accepted the address %q", body, *patch.Email)
		}
		if len(patch.Metadata) > commerce.MaxMetadataKeys || !patch.MetadataSent && patch.Metadata != nil {
			t.Errorf("%q: accepted %d keys, sent %v", body, len(patch.Metadata), patch.MetadataSent)
		}
		// An accepted map reads back the same.
		again, fault := CartPatch.Read(Parse(append(answers.Metadata.Append([]byte(`{"metadata":`), patch.Metadata), '}')))
		if fault != nil || patch.MetadataSent && showMetadata(again) != showMetadata(patch) {
			t.Errorf("%q: read %s, then %s (%v)", body, showMetadata(patch), showMetadata(again), fault)
		}
	})
}
