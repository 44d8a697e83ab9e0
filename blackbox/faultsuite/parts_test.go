package faultsuite

import (
	"math/rand/v2"
	"net"
	"net/http"
	"testing"
	"time"

	"cartd/blackbox/faultsuite/history"
	"cartd/blackbox/faultsuite/model"
)

// dealt deals n cards and counts how often each fault came.
func dealt(n int, early func(i int) bool) map[string]int {
	d := &deck{table: []Fault{{Name: "often", Weight: 3}, {Name: "once", Weight: 1}, {Name: "early", Weight: 1, Early: true}}}
	dice := rand.New(rand.NewPCG(1, 1))
	counts := map[string]int{}
	for i := range n {
		counts[d.deal(dice, early(i)).Name]++
	}
	return counts
}

func TestEveryFaultHappensOnceInTheFirstRound(t *testing.T) {
	always := func(int) bool { return true }
	if got := dealt(3, always); len(got) != 3 {
		t.Errorf("the first three: %v, want one of each", got)
	}
	if got := dealt(13, always); got["often"] != 7 || got["once"] != 3 || got["early"] != 3 {
		t.Errorf("after one of each and two whole decks: %v", got)
	}
	if got := dealt(50, func(int) bool { return false }); got["early"] != 0 {
		t.Errorf("early faults where it is too late for them: %v", got)
	}
}

func TestClassify(t *testing.T) {
	s := &Storm{}
	add := model.Carts.Commands[1]
	for _, c := range []struct {
		status int
		want   history.Outcome
	}{
		{201, history.Done},
		{404, history.Refused}, {422, history.Refused}, {412, history.Refused},
		{503, history.Nothing}, {429, history.Nothing},
		{504, history.Unknown}, {0, history.Unknown},
	} {
		if got := s.classify(add, answer{status: c.status}); got != c.want || len(s.violations) > 0 {
			t.Errorf("%d: %v, %v; want %v", c.status, got, s.violations, c.want)
		}
	}
	for _, status := range []int{500, 200, 302} {
		if s.classify(add, answer{status: status}); len(s.violations) == 0 {
			t.Errorf("%d, which an add never answers, was not noticed", status)
		}
		s.violations = nil
	}
}

// The operations of a command that was sent more than once follow from its answers.
func TestOperationsOfACommand(t *testing.T) {
	body := []byte(`{"data":{"id":"c","status":"active","metadata":null,"lines":[],"totals":{}}}`)
	const first, last, end = time.Duration(1), time.Duration(5), time.Duration(6)
	for _, c := range []struct {
		name    string
		outcome history.Outcome
		a       answer
		maybe   bool
		want    []history.Outcome
		reads   bool // the second operation is a read
	}{
		{"done at last", history.Done, answer{status: 200, body: body}, true, []history.Outcome{history.Done}, false},
		{"replayed", history.Done, answer{status: 200, body: body, replayed: true}, true, []history.Outcome{history.Done, history.Done}, true},
		{"refused at once", history.Refused, answer{status: 404}, false, []history.Outcome{history.Refused}, false},
		{"refused after it may have been done", history.Refused, answer{status: 404}, true, []history.Outcome{history.Refused, history.Unknown}, false},
		{"no answer", history.Unknown, answer{}, true, []history.Outcome{history.Unknown}, false},
	} {
		w := &worker{storm: &Storm{}}
		o := history.Op{Command: model.Carts.Commands[5], Call: first, Last: last, Return: end, Outcome: c.outcome, Key: "k"}
		d := w.operations(model.Carts, o, c.a, c.maybe)
		if len(d.ops) != len(c.want) || len(w.storm.violations) > 0 || d.succeeded != (c.outcome == history.Done) {
			t.Fatalf("%s: %v (succeeded %v), %v", c.name, d.ops, d.succeeded, w.storm.violations)
		}
		for i, got := range d.ops {
			if got.Outcome != c.want[i] || (got.Return == history.Open) != (got.Outcome == history.Unknown) {
				t.Errorf("%s: operation %d is %v, until %v; want %v", c.name, i, got.Outcome, got.Return, c.want[i])
			}
		}
		if second := len(d.ops) > 1; c.reads && (!second || !d.ops[1].Command.Reads || d.ops[1].Call != last) {
			t.Errorf("%s: %v, want the command and a read", c.name, d.ops)
		}
	}
}

func TestReplayToTheFirstSendingIsNoticed(t *testing.T) {
	w := &worker{storm: &Storm{}}
	body := []byte(`{"data":{"id":"c","status":"active","metadata":null,"lines":[],"totals":{}}}`)
	w.operations(model.Carts, history.Op{Command: model.Carts.Commands[5]}, answer{status: 200, body: body, replayed: true}, false)
	if len(w.storm.violations) != 1 {
		t.Errorf("%v, want one violation", w.storm.violations)
	}
}

// A resending of an answered command may have an effect only if a restore has removed its first
// answer.
func TestSecondEffectOfAnAnsweredCommandIsNoticed(t *testing.T) {
	restore := history.Restore{From: 10, To: 11, Down: 20, Up: 25}
	for _, c := range []struct {
		name     string
		first    time.Duration // the time of the first answer
		outcome  history.Outcome
		noticed  bool
		restores []history.Restore
	}{
		{"done again", 5, history.Done, true, nil},
		{"refused though it was done", 5, history.Refused, true, nil},
		{"no answer", 5, history.Unknown, false, nil},
		{"done again, the restored file is older", 15, history.Done, false, []history.Restore{restore}},
		{"done again, the restored file is newer", 5, history.Done, true, []history.Restore{restore}},
	} {
		r := &record{Record: history.Record{Kind: model.Carts}}
		s := &Storm{restores: c.restores}
		first := history.Op{Command: model.Carts.Commands[1], Last: c.first - 1, Return: c.first}
		s.notReplayed(r, first, []history.Op{{Command: first.Command, Outcome: c.outcome}})
		s.judgeResendings()
		if got := len(s.violations) > 0; got != c.noticed {
			t.Errorf("%s: %v, want noticed: %v", c.name, s.violations, c.noticed)
		}
		if forgotten := c.restores != nil && !c.noticed; forgotten != (len(r.Ops) == 1) {
			t.Errorf("%s: noted %v", c.name, r.Ops)
		}
	}
}

func TestARequestWithoutAConnectionWasNotSent(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	listener.Close()
	l := &line{where: func() string { return addr }}
	if a := l.send("key", "/", model.Request{Method: http.MethodGet}, ""); !a.unsent || a.status != 0 {
		t.Errorf("%+v, want unsent", a)
	}
}

// If a connection breaks after a request was sent, the outcome is unknown and the client does not
// repeat the request.
func TestABrokenConnectionIsAnUnknownOutcome(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	accepted := make(chan struct{}, 8)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			accepted <- struct{}{}
			_, _ = conn.Read(make([]byte, 1024))
			conn.Close()
		}
	}()
	l := &line{where: listener.Addr().String}
	if a := l.send("key", "/", model.Request{Method: http.MethodGet}, ""); a.unsent || a.status != 0 {
		t.Errorf("%+v, want no answer", a)
	}
	if n := len(accepted); n != 1 {
		t.Errorf("it was sent %d times, want once", n)
	}
}
