//go:build long

package stores

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/internal/redistest"
)

// Eight clients on two nodes send sets one after another: every set
// is carried out.
func TestLongManyClientsOnTwoNodes(t *testing.T) {
	t.Parallel()
	s := redistest.Real(t)
	nodes := []*Stores{node(t, s), node(t, s)}
	theShop().save(t, nodes[0])
	var clients sync.WaitGroup
	for i := range 8 {
		clients.Go(func() {
			for round := range 2 {
				if _, err := nodes[i%2].Change(shopID, category(t, i+1, fmt.Sprint(i, round)), time.Now().Add(10*time.Second)); err != nil {
					t.Errorf("client %d, set %d: %v", i, round, err)
				}
			}
		})
	}
	clients.Wait()
	if names := strings.Fields(categories(t, nodes[0])); len(names) != 16 { // "0 1" has two fields
		t.Errorf("categories %v, want the eight of the last sets", names)
	}
}

// A set that waits is answered as soon as an import, of another node here, has taken too long.
func TestLongWaitingChangeSetOfAStoreThatIsTooLarge(t *testing.T) {
	t.Parallel()
	s := redistest.Real(t)
	db := node(t, s)
	theShop().save(t, db)
	answered := make(chan error, 1)
	began := time.Now()
	go func() {
		_, err := db.Change(shopID, category(t, 1, "A"), began.Add(patience))
		answered <- err
	}()
	eventually(t, "the set waits", func() bool { return db.changes.anyWaits(shopID) })
	tookMs(s, 4000)
	if err := <-answered; !errors.Is(err, commerce.StoreTooLarge) || time.Since(began) > 5*time.Second {
		t.Errorf("%v after %v, want StoreTooLarge after a second", err, time.Since(began))
	}
}
