package commerce

import "testing"

// Percent escapes of a path are decoded once; what is none stays.
func TestPathKey(t *testing.T) {
	for path, want := range map[string]string{
		"/old": "/old", "/café": "/café", "/caf%C3%A9": "/café", "/caf%c3%a9": "/café", "/x%E2%84%A2": "/x™", "/it%27s%20%28a%29%21%2A": "/it's (a)!*",
		"/100%25": "/100%", "/100%2525": "/100%25", "/100%": "/100%", "/a%2": "/a%2", "/a%zz%41": "/a%zzA", "/%ff": "/%ff", "/a%2Fb?c=%26": "/a/b?c=&", "": "",
	} {
		if got := PathKey(path); got != want {
			t.Errorf("PathKey(%q) = %q, want %q", path, got, want)
		}
	}
}
