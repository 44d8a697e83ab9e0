package configurator_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/configurator"
	"cartd/internal/dice"
)

// someGraph is a configurator of up to 200 choices. Each requires a few others at random: often
// they make a cycle, sometimes one does not exist.
func someGraph(r *rand.Rand) *commerce.Configurator {
	c := &commerce.Configurator{}
	n := 1 + r.IntN(200)
	missing := 1 + r.IntN(4*n)
	for at := range n {
		if at == 0 || r.IntN(4) == 0 {
			c.Groups = append(c.Groups, commerce.ChoiceGroup{Multiple: r.IntN(2) == 0})
		}
		one := commerce.Choice{ID: fmt.Sprint(at)}
		for range r.IntN(3) {
			one.Requires = append(one.Requires, fmt.Sprint(r.IntN(n+n/missing)))
		}
		g := &c.Groups[len(c.Groups)-1]
		g.Choices = append(g.Choices, one)
	}
	return c
}

// modelAvailable applies the rule word by word: every choice that a choice reaches exists, and they
// contain at most one choice of each single-choice group.
func modelAvailable(c *commerce.Configurator, id string) bool {
	reached := map[string]bool{}
	exist := true
	var follow func(id string)
	follow = func(id string) {
		if reached[id] {
			return
		}
		reached[id] = true
		one := choiceOf(c, id)
		if one == nil {
			exist = false
			return
		}
		for _, required := range one.Requires {
			follow(required)
		}
	}
	follow(id)
	for _, g := range c.Groups {
		held := slices.DeleteFunc(slices.Clone(g.Choices), func(one commerce.Choice) bool { return !reached[one.ID] })
		if !g.Multiple && len(held) > 1 {
			return false
		}
	}
	return exist
}

func choiceOf(c *commerce.Configurator, id string) *commerce.Choice {
	for g := range c.Groups {
		for i := range c.Groups[g].Choices {
			if c.Groups[g].Choices[i].ID == id {
				return &c.Groups[g].Choices[i]
			}
		}
	}
	return nil
}

func TestAvailableInLargeGraphs(t *testing.T) {
	r, available, unavailable := dice.New(t), 0, 0
	for range 50 {
		c := someGraph(r)
		offered := choicesOf(configurator.New(uuid.Nil, c).Offered())
		for _, id := range choicesOf(c) {
			want := modelAvailable(c, id)
			if got := slices.Contains(offered, id); got != want {
				t.Fatalf("%+v\nchoice %s is available: %t, want %t", c, id, got, want)
			}
			if want {
				available++
			} else {
				unavailable++
			}
		}
	}
	if available < 100 || unavailable < 100 {
		t.Errorf("%d choices were available and %d were not; want many of both", available, unavailable)
	}
}

// everyRequiresEvery is a product with this number of choices. Each requires all.
func everyRequiresEvery(choices int) *commerce.Configurator {
	g := commerce.ChoiceGroup{Multiple: true}
	var ids []string
	for i := range choices {
		ids = append(ids, fmt.Sprint(i))
	}
	for _, id := range ids {
		g.Choices = append(g.Choices, commerce.Choice{ID: id, Requires: ids})
	}
	return &commerce.Configurator{Groups: []commerce.ChoiceGroup{g}}
}

// chain is a product with this number of choices, each in a group of its own. Each requires the
// next.
func chain(choices int) *commerce.Configurator {
	c := &commerce.Configurator{}
	for i := range choices {
		one := commerce.Choice{ID: fmt.Sprint(i)}
		if i+1 < choices {
			one.Requires = []string{fmt.Sprint(i + 1)}
		}
		c.Groups = append(c.Groups, commerce.ChoiceGroup{Choices: []commerce.Choice{one}})
	}
	return c
}

// A product of 1,000 choices with a million requires takes about 50 ms of processor time.
func TestManyRequiresAreResolvedInTime(t *testing.T) {
	c := everyRequiresEvery(1000)
	began := processorTime(t)
	offered := choicesOf(configurator.New(uuid.Nil, c).Offered())
	if took := processorTime(t) - began; len(offered) != 1000 || took > time.Second {
		t.Errorf("%d choices of 1000 are offered after %v of the processor, want all within 1 s", len(offered), took)
	}
}

// processorTime is the processor time that this process has used. Other processes on the machine
// do not change it.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkRequires prepares the products whose choices reach the maximum number of choices.
func BenchmarkRequires(b *testing.B) {
	for name, c := range map[string]*commerce.Configurator{"every": everyRequiresEvery(1000), "chain": chain(1000)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				configurator.New(uuid.Nil, c)
			}
		})
	}
}
