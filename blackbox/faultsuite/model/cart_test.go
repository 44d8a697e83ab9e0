package model

import (
	"math/rand/v2"
	"net/http"
	"testing"

	"github.com/google/uuid"
)

var (
	hammer, cable = &Products[0], &Products[2]
	idA, idB      = uuid.UUID{0xa}, uuid.UUID{0xb}
)

// cartOf is a cart with these lines.
func cartOf(lines ...Line) Cart { return Cart{Exists: true, Country: home, Lines: lines} }

func TestCommandsApply(t *testing.T) {
	two := cartOf(Line{idA, hammer, 2000}, Line{idB, cable, 500})
	for _, c := range []struct {
		name    string
		command *Command
		request Request
		before  Cart
		want    Cart
		ok      bool
	}{
		{"make", createCart, Request{}, Cart{}, cartOf(), true},
		{"make what exists", createCart, Request{}, cartOf(), cartOf(), false},
		{"read what does not exist", readCart, Request{}, Cart{}, Cart{}, false},
		{"add a new line", addLine, addition(cable, 500), cartOf(Line{idA, hammer, 2000}), cartOf(Line{idA, hammer, 2000}, Line{uuid.Nil, cable, 500}), true},
		{"add to a line", addLine, addition(hammer, 1000), two, cartOf(Line{idA, hammer, 3000}, Line{idB, cable, 500}), true},
		{"change", changeLine, change(idB, cable, 700), two, cartOf(Line{idA, hammer, 2000}, Line{idB, cable, 700}), true},
		{"change a line that no answer has shown", changeLine, change(idA, hammer, 1000), cartOf(Line{uuid.Nil, hammer, 2000}),
			cartOf(Line{idA, hammer, 1000}), true},
		{"change a line that is gone", changeLine, change(idA, hammer, 1000), cartOf(), cartOf(), false},
		{"remove", removeLine, Request{Args: lineArgs{line: idA, product: hammer}}, two, cartOf(Line{idB, cable, 500}), true},
		{"remove a line that is gone", removeLine, Request{Args: lineArgs{line: idA, product: hammer}}, cartOf(), cartOf(), false},
		{"add too much", addTooMuch, addition(hammer, 1000), two, two, false},
	} {
		before := c.before.String()
		got, ok := c.command.Apply(c.before, c.request)
		if ok != c.ok || ok && !got.Same(c.want) {
			t.Errorf("%s: %v, %v; want %v, %v", c.name, got, ok, c.want, c.ok)
		}
		if c.before.String() != before {
			t.Errorf("%s has changed its argument: %v, was %s", c.name, c.before, before)
		}
	}
}

func TestCommandsRefuse(t *testing.T) {
	one := cartOf(Line{idA, hammer, 2000})
	for _, c := range []struct {
		name    string
		command *Command
		request Request
		state   Cart
		status  int
		want    bool
	}{
		{"a cart that does not exist", addLine, addition(hammer, 1000), Cart{}, 404, true},
		{"a cart that exists", addLine, addition(hammer, 1000), one, 404, false},
		{"a line that does not exist", changeLine, change(idB, hammer, 1000), one, 404, true},
		{"a line that exists", changeLine, change(idA, hammer, 1000), one, 404, false},
		{"a line that exists, too much", changeLine, change(idA, hammer, 1000), one, 422, false},
		{"too much", addTooMuch, addition(hammer, 1000), one, 422, true},
		{"too much into nothing", addTooMuch, addition(hammer, 1000), Cart{}, 422, false},
		{"reading", readCart, Request{}, one, 404, false},
	} {
		if got := c.command.Refuses(c.state, c.request, c.status); got != c.want {
			t.Errorf("%s, %d: right is %v, want %v", c.name, c.status, got, c.want)
		}
	}
}

func TestAnswerFillsInUnknownIDsOnly(t *testing.T) {
	model := cartOf(Line{idA, hammer, 1000}, Line{uuid.Nil, cable, 500})
	for _, c := range []struct {
		name string
		seen Cart
		want bool
	}{
		{"a new id", cartOf(Line{idA, hammer, 1000}, Line{idB, cable, 500}), true},
		{"another id", cartOf(Line{idB, hammer, 1000}, Line{idB, cable, 500}), false},
		{"another quantity", cartOf(Line{idA, hammer, 1000}, Line{idB, cable, 501}), false},
		{"another order", cartOf(Line{idB, cable, 500}, Line{idA, hammer, 1000}), false},
		{"a line less", cartOf(Line{idA, hammer, 1000}), false},
		{"an e-mail", Cart{Exists: true, Email: "a@b", Lines: model.Lines}, false},
		{"nothing", Cart{}, false},
	} {
		got, ok := model.Shows(c.seen)
		if ok != c.want || ok && !got.Same(c.seen) {
			t.Errorf("%s: %v, %v; want %v", c.name, got, ok, c.want)
		}
	}
}

// A run sends every row sooner or later, and the model does or refuses each request of a row.
func TestEveryCommandOfEveryKind(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 1))
	state := cartOf(Line{idA, hammer, 2000})
	for _, kind := range []*Kind{Carts, HotCarts} {
		chosen := map[string]int{}
		for range 2000 {
			c := kind.Choose(dice)
			r, ok := c.Make(dice, state)
			if !ok {
				t.Fatalf("%s has nothing to do in %v", c.Name, state)
			}
			_, done := c.Apply(state, r)
			if refused := c.Refuses(state, r, http.StatusNotFound) || c.Refuses(state, r, http.StatusUnprocessableEntity); done == refused {
				t.Fatalf("%s %s: done %v, refused %v", c.Name, r.Body, done, refused)
			}
			if done != (c.Status != 0) && c != changeNothing {
				t.Fatalf("%s is done: %v, its success is %d", c.Name, done, c.Status)
			}
			chosen[c.Name]++
		}
		if len(chosen) != len(kind.Commands) {
			t.Errorf("%s: chosen %v, want all %d commands", kind.Name, chosen, len(kind.Commands))
		}
	}
}
