package front

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

func used(b *Budget) int64 {
	bytes, _ := b.Figures()
	return bytes
}

// A store has an eighth of the memory of bodies. Another store's bodies have theirs.
func TestAStoreHasAShareOfTheBodies(t *testing.T) {
	b := newBudget("bodies", 800, 8, slog.New(slog.DiscardHandler))
	one, other := uuid.UUID{1}, uuid.UUID{2}
	if !b.Reserve(one, 60) || !b.Reserve(one, 40) || b.Reserve(one, 1) || !b.Reserve(other, 100) {
		t.Errorf("one store: %v", b.stores)
	}
	b.Release(one, 60)
	if !b.Reserve(one, 60) || used(b) != 200 {
		t.Errorf("after a release: %v", b.stores)
	}
	for i := range 6 {
		b.Reserve(uuid.UUID{3, byte(i)}, 100)
	}
	if b.Reserve(uuid.UUID{4}, 1) || used(b) != 800 {
		t.Errorf("beyond the limit of all: %v", b.stores)
	}
	b.Release(one, 100)
	if _, kept := b.stores[one]; kept {
		t.Error("a store without bytes is remembered")
	}
}

// A full budget is logged once a minute.
func TestAFullBudgetIsLogged(t *testing.T) {
	var log strings.Builder
	b := newBudget("bodies", 0, 1, slog.New(slog.NewTextHandler(&log, nil)))
	for range 5 {
		b.Reserve(uuid.UUID{1}, 1)
	}
	b.logged = time.Now().Add(-logEvery)
	b.Reserve(uuid.UUID{1}, 1)
	if strings.Count(log.String(), "the memory for bodies is used up") != 2 {
		t.Errorf("logged\n%s", log.String())
	}
}

// While more than half of the budget is in use, a write ends after three seconds, also one that
// began with more time.
func TestWritesAreShorterInACrowd(t *testing.T) {
	b := newAnswers(1<<20, 1, slog.New(slog.DiscardHandler))
	late := time.Now().Add(writeTimeout)
	if got := b.writeDeadline(late); got != late {
		t.Errorf("without a crowd the deadline is %v", got)
	}
	begun := &spy{}
	c := &Conn{Conn: begun, from: &listener{answers: b}}
	first := Charge{}
	b.Charge(&first, uuid.Nil, 300<<10, false)
	b.sends(c, first)
	if len(begun.writing) > 0 {
		t.Error("a deadline is set without a crowd")
	}
	second := Charge{}
	b.Charge(&second, uuid.Nil, 400<<10, false)
	if len(begun.writing) != 1 || time.Until(begun.writing[0]) > crowdedWrite {
		t.Errorf("the deadlines of the answer that is being sent are %v", begun.writing)
	}
	if wait := time.Until(b.writeDeadline(late)); wait > crowdedWrite {
		t.Errorf("the next one may take %v", wait)
	}
	b.sent(c)
	b.sent(c)
	if used(b.Budget) != int64(second.bytes) || b.writeDeadline(late) != late {
		t.Errorf("after the first was sent: %d bytes", used(b.Budget))
	}
}
