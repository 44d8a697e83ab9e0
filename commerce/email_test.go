package commerce

import (
	"strings"
	"testing"
)

func TestParseEmailAcceptsAndLowers(t *testing.T) {
	label := strings.Repeat("a", 63)
	for text, want := range map[string]string{
		"a@b":                                       "a@b",
		"Ada@Example.COM":                           "ada@example.com",
		"o'neil+x@a.co":                             "o'neil+x@a.co",
		"first.last@sub.example.co.uk":              "first.last@sub.example.co.uk",
		"JÜRGEN@MÜNCHEN.DE":                         "jürgen@münchen.de",
		"用户@例子.广告":                                  "用户@例子.广告",
		"_-!#$%&*/=?^`{|}~@x.y":                     "_-!#$%&*/=?^`{|}~@x.y",
		"a@b-c.1d":                                  "a@b-c.1d",
		"a@" + label + "." + label:                  "a@" + label + "." + label,
		"a@" + strings.Repeat("é", 63):              "a@" + strings.Repeat("é", 63),
		strings.Repeat("x", 300) + "@b":             strings.Repeat("x", 300) + "@b",
		"😀@i❤.ws":                                   "😀@i❤.ws",
		"first@t5。example":                          "first@t5.example",
		"a@b．c｡d。e":                                 "a@b.c.d.e",
		"a。b@c.d":                                   "a。b@c.d", // of the local part it is no dot
		"Info@XN--BCHER-KVA.example":                "info@bücher.example",
		"info@Bücher.Example":                       "info@bücher.example",
		"a@xn--mnchen-3ya。xn--vermgensberatung-pwb": "a@münchen.vermögensberatung",
		"a@xn--abc.b":                               "a@xn--abc.b",
		"ANDRE\u0301@u\u0308.example":               "andr\u00e9@\u00fc.example",
	} {
		if got, ok := ParseEmail(text); got != want || !ok {
			t.Errorf("ParseEmail(%q) = %q, %v; want %q", text, got, ok, want)
		}
	}
}

func TestParseEmailRefuses(t *testing.T) {
	for rule, texts := range map[string][]string{
		"empty parts":             {"", "@", "a@", "@b", "ab"},
		"two @":                   {"a@b@c", "a@@b"},
		"dots at the ends":        {".a@b", "a.@b", "a@.b", "a@b."},
		"dots doubled":            {"a..b@c", "a@b..c", ".@b", "a@.", "a@b.。c", "a@。b", "a@b｡"},
		"spaces":                  {" a@b", "a@b ", "a b@c", "a@b c", "a\u00a0b@c", "a@b\u2003c", "a\u200bb@c", "\ufeffa@b"},
		"control characters":      {"a\x00@b", "a@b\n", "a\t@b", "a\x7f@b", "a@b\u0085"},
		"_ in a domain label":     {"a@b_c", "a@_b.c"},
		"- at the end of a label": {"a@-b", "a@b-", "a@b-.c", "a@b.-c", "a@-"},
		"labels over 63":          {"a@" + strings.Repeat("a", 64), "a@b." + strings.Repeat("é", 64)},
		"comments":                {"a(x)@b", "a@b(x)", "(x)a@b"},
		"display names":           {"Ada <a@b>", "<a@b>", "Ada a@b"},
		"quotes":                  {`"a b"@c`, `"a"@b`, `a\@b`},
		"other signs":             {"a,b@c", "a;b@c", "a:b@c", "a@[127.0.0.1]", "a@b:c", "a@b!c", "a@b'c", "a@b/c"},
		"invalid UTF-8":           {"a\xff@b", "a@b\xc3"},
	} {
		for _, text := range texts {
			if got, ok := ParseEmail(text); got != "" || ok {
				t.Errorf("%s: ParseEmail(%q) = %q, %v; want a refusal", rule, text, got, ok)
			}
		}
	}
}

func FuzzParseEmail(f *testing.F) {
	for _, text := range []string{"a@b", "O'Neil+X@A.co", "İ@İ.K", "a@b@c", "a@-b", "用户@例子.广告", "\u1e9e@\u212a"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lower, ok := ParseEmail(text)
		if !ok {
			return
		}
		if again, ok := ParseEmail(lower); again != lower || !ok {
			t.Fatalf("ParseEmail(%q) = %q, but of that %q, %v", text, lower, again, ok)
		}
		if strings.Count(text, "@") != 1 || strings.ContainsAny(text, " \"()<>\\,;:[]\t\r\n") {
			t.Fatalf("ParseEmail accepted %q", text)
		}
	})
}
