package persistence

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/internal/redistest"
)

// wantsKey are two stores that want the same keys.
func wantsKey() (first, second shop) {
	first = shop{ID: shopID, Name: "First", Keys: []shopKey{apiKey("shared"), apiKey("also")}}
	second = shop{ID: otherShop, Name: "Second", Keys: []shopKey{apiKey("also"), apiKey("shared")}}
	return first, second
}

// haveKey are the stores whose rings have a key.
func haveKey(t *testing.T, db *DB, key string) (owners []uuid.UUID) {
	t.Helper()
	for _, store := range []uuid.UUID{shopID, otherShop} {
		h, err := db.readHead(background, store)
		if err != nil {
			continue // it was never imported
		}
		ring, err := db.loadRing(background, store, h.keys)
		if err != nil {
			t.Fatal(err)
		}
		if ring.knows(*secret(key)) {
			owners = append(owners, store)
		}
	}
	return owners
}

// wantOneOwner fails unless one store has the keys, as the hints say, and the import of the
// other was refused.
func wantOneOwner(t *testing.T, s *redistest.Server, when string, first, second error) {
	t.Helper()
	owners := haveKey(t, node(t, s), "shared")
	if len(owners) != 1 || !slices.Equal(haveKey(t, node(t, s), "also"), owners) {
		t.Fatalf("%s: the keys are of %v and %v, want one store", when, owners, haveKey(t, node(t, s), "also"))
	}
	for _, key := range []string{"shared", "also"} {
		if hint := s.Client().Get(background, keyHint(*secret(key))).Val(); hint != owners[0].String() {
			t.Errorf("%s: the hint of %s names %s, want %v", when, key, hint, owners[0])
		}
	}
	refused := first
	if owners[0] == shopID {
		refused = second
	}
	if (first == nil) == (second == nil) || !strings.Contains(fmt.Sprint(refused), "belongs to another store") {
		t.Errorf("%s: the imports came to %v and %v, want the one without the keys refused", when, first, second)
	}
}

// One import comes between any two commands of another that wants the same keys, also where
// the other seems dead for lack of a sign of life. Spec: API key 2.
func TestAKeyThatTwoImportsWantIsOfOneStore(t *testing.T) {
	alone(t)
	for _, seemsDead := range []bool{false, true} {
		for n := int64(1); ; n++ {
			s := redistest.Mini(t)
			first, second := wantsKey()
			slow, other := node(t, s), node(t, s)
			slow.claimPatience, other.claimPatience = 0, 0
			var theirs error
			hook, came := ahead(n, func() {
				if seemsDead {
					s.Client().Del(background, aliveKey(shopID))
				}
				_, theirs = other.SaveStore(background, second.document(t), true)
			})
			slow.main.client.AddHook(hook)
			_, ours := slow.SaveStore(background, first.document(t), true)
			if !came() {
				if n < 10 {
					t.Errorf("an import takes %d commands, want all of them tried", n-1)
				}
				break
			}
			if theirs == nil || ours == nil {
				wantOneOwner(t, s, fmt.Sprintf("seems dead %v, before command %d", seemsDead, n), ours, theirs)
			} else {
				t.Errorf("seems dead %v, before command %d: both are refused: %v, %v", seemsDead, n, ours, theirs)
			}
		}
	}
}

// The same from the other side: while an import takes a key over from one that seems dead,
// that one goes on and ends.
func TestAnImportThatSeemedDeadEndsWhileItsKeyIsTakenOver(t *testing.T) {
	alone(t)
	t.Parallel()
	takenOver(t, 7)
}

// takenOver stops the first import at each of its commands, and wakes it at every step-th of
// the other's.
func takenOver(t *testing.T, step int64) {
	t.Helper()
	for stop := int64(1); stop < 20; stop++ {
		for n := 1 + stop%step; ; n += step {
			s := redistest.Mini(t)
			first, second := wantsKey()
			asleep, wake, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
			slow, taker := node(t, s), node(t, s)
			slow.claimPatience, taker.claimPatience = 0, 0
			hook, _ := ahead(stop, func() { close(asleep); <-wake })
			slow.main.client.AddHook(hook)
			go func() {
				_, err := slow.SaveStore(background, first.document(t), true)
				ended <- err
			}()
			select {
			case <-asleep:
			case err := <-ended:
				if err != nil || stop < 10 {
					t.Fatalf("the first import ends at command %d: %v", stop, err)
				}
				return
			}
			s.Client().Del(background, aliveKey(shopID))
			var ours error
			hook, came := ahead(n, func() {
				close(wake)
				ours = <-ended
			})
			taker.main.client.AddHook(hook)
			_, theirs := taker.SaveStore(background, second.document(t), true)
			if !came() {
				close(wake)
				<-ended
				break
			}
			wantOneOwner(t, s, fmt.Sprintf("asleep at command %d, taken over at %d", stop, n), ours, theirs)
		}
	}
}

func TestImportsAtOnceShareNoKey(t *testing.T) {
	s := redistest.Real(t)
	dbs := []*DB{node(t, s), node(t, s)}
	for round := range 20 {
		s.Client().FlushAll(background)
		var docs [2]*Document
		var came [2]error
		shops := make([]shop, 2)
		shops[0], shops[1] = wantsKey()
		for i := range docs {
			docs[i] = shops[i].document(t)
		}
		var both sync.WaitGroup
		for i, db := range dbs {
			both.Go(func() { _, came[i] = db.SaveStore(background, docs[i], true) })
		}
		both.Wait()
		wantOneOwner(t, s, fmt.Sprintf("round %d", round), came[0], came[1])
	}
}

// An import that takes a key's hint from a store gives it back where that one has begun an
// import meanwhile, which may come by just then, at any of its looks: it is not refused, too.
func TestAnImportThatComesByATakenHintIsNotRefused(t *testing.T) {
	for _, late := range []bool{false, true} { // the hint is taken before its claim, or behind it
		s := redistest.Real(t)
		first, second := wantsKey()
		first.Keys, second.Keys = first.Keys[:1], second.Keys[1:] // both: shared
		without, hint := first, keyHint(*secret("shared"))
		without.Keys = nil
		first.save(t, node(t, s))
		without.save(t, node(t, s))
		ours, theirs := node(t, s), node(t, s)
		ready, begun, taken, looked := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
		var claims atomic.Int64
		theirs.main.client.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
			if args := cmd.Args(); len(args) != 6 || args[3] != hint {
				return next()
			}
			if claims.Add(1) != 2 {
				return next()
			}
			close(ready) // nobody had the key
			if late {
				<-begun
			}
			defer func() { close(taken); <-looked }()
			return next()
		}))
		var saw sync.Once
		ours.main.client.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
			if late && cmd.Name() == "persist" {
				close(begun)
				<-taken
			}
			err := next()
			if args := cmd.Args(); !late && len(args) == 6 && args[3] == aliveKey(otherShop) || late && keyIn(cmd) == hint {
				saw.Do(func() { close(looked) })
			}
			return err
		}))
		ended := make(chan error, 1)
		go func() {
			_, err := theirs.SaveStore(background, second.document(t), true)
			ended <- err
		}()
		<-ready
		if !late {
			<-taken
		}
		_, err := ours.SaveStore(background, first.document(t), true)
		if theirErr := <-ended; err != nil || theirErr == nil || !strings.Contains(theirErr.Error(), "belongs to another store") {
			t.Errorf("late %v: the imports came to %v and %v, want the second refused", late, err, theirErr)
		}
	}
}

// An import that is killed right after it took a hint from a store, which in the meantime
// got the key, leaves nodes that do not find it. Importing that store again mends it.
func TestImportingAgainMendsAHintThatAKilledImportTook(t *testing.T) {
	s := redistest.Mini(t)
	first, second := wantsKey()
	without := first
	without.Keys = nil
	first.save(t, node(t, s))
	without.save(t, node(t, s))
	killed := node(t, s)
	var claims atomic.Int64
	killed.main.client.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
		if args := cmd.Args(); len(args) == 6 && strings.HasPrefix(fmt.Sprint(args[3]), "apikey:") {
			if claims.Add(1) == 2 {
				first.save(t, node(t, s))
				return next()
			}
		}
		if claims.Load() >= 2 {
			return errBroken
		}
		return next()
	}))
	if _, err := killed.SaveStore(background, second.document(t), true); !errors.Is(err, errBroken) {
		t.Fatalf("the import was not killed: %v", err)
	}
	s.Mini.FastForward(importSilence + time.Second)
	for range 2 {
		first.save(t, node(t, s))
	}
	for _, key := range []string{"shared", "also"} {
		if a := admit(t, node(t, s), asks(key)); a.Key == nil || a.Store.ID != shopID {
			t.Errorf("the key %s opens %+v, want the first store", key, a)
		}
	}
	if again, err := node(t, s).SaveStore(background, first.document(t), true); again || err != nil {
		t.Errorf("once more: %v, %v; want nothing done", again, err)
	}
}

// A key that a killed import wanted is free once the import shows no sign of life.
func TestAKilledImportKeepsNoKey(t *testing.T) {
	alone(t)
	s := redistest.Mini(t)
	first, second := wantsKey()
	killed := node(t, s)
	ctx, kill := context.WithCancel(background)
	killed.main.client.AddHook(meddler(func(cmd redis.Cmder, next func() error) error {
		if ctx.Err() != nil || cmd.Name() == "persist" {
			kill()
			return errBroken
		}
		return next()
	}))
	if _, err := killed.SaveStore(background, first.document(t), true); err == nil {
		t.Fatal("the import was not killed")
	}
	if _, err := node(t, s).SaveStore(background, second.document(t), true); err == nil || !strings.Contains(err.Error(), "import again") {
		t.Errorf("at once SaveStore = %v, want it refused with what to do", err)
	}
	s.Mini.FastForward(importSilence + time.Second)
	second.save(t, node(t, s))
	_, err := node(t, s).SaveStore(background, first.document(t), true)
	wantOneOwner(t, s, "after a minute", err, nil)
}
