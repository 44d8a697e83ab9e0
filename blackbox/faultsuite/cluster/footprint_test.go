package cluster

import (
	"maps"
	"testing"
)

const traceback = `SIGQUIT: quit

goroutine 1 [chan receive]:
main.main()

goroutine 20 gp=0xc0 m=nil [IO wait, 2 minutes]:
net.read()
created by net/http.Serve in goroutine 1
	/go/server.go:3 +0x1

goroutine 21 [running]:
x()
created by net/http.Serve in goroutine 1
`

func TestGoroutinesAreCountedByStarter(t *testing.T) {
	got := countGoroutines(traceback)
	if want := map[string]int{"the runtime": 1, "net/http.Serve": 2}; !maps.Equal(got, want) {
		t.Errorf("countGoroutines = %v, want %v", got, want)
	}
}

func TestOutgrownNamesStartersOfTooMany(t *testing.T) {
	before := map[string]int{"a": 1, "b": 5}
	for _, c := range []struct {
		now  map[string]int
		want string
	}{
		{map[string]int{"a": 3, "b": 7, "c": 2}, ""},
		{map[string]int{"a": 4}, "a: 4, of a fresh node 1"},
		{map[string]int{"c": 3}, "c: 3, of a fresh node 0"},
	} {
		if got := Outgrown(before, c.now, 2); got != c.want {
			t.Errorf("Outgrown(%v) = %q, want %q", c.now, got, c.want)
		}
	}
}
