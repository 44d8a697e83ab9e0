package persistence

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/internal/redistest"
	"cartd/persistence/stores"
)

// category is a change set that sets one category.
func category(t testing.TB, n int, name string) *storefile.ChangeSet {
	t.Helper()
	text := fmt.Sprintf(`{"format":1,"set":{"categories":[{"id":"%s","name":%q,"slug":"s%d"}]}}`, testID(n), name, n)
	return parsedSet(t, text)
}

func parsedSet(t testing.TB, text string) *storefile.ChangeSet {
	t.Helper()
	set, err := storefile.ParseChangeSet([]byte(text), storefile.OperatorSettings)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func changeOne(t testing.TB, db *DB, set *storefile.ChangeSet) engine.CatalogueChanged {
	t.Helper()
	done, err := db.ImportChange(background, shopID, &stores.Change{Set: set, By: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// categoryNames are the names of the store's categories in Redis.
func categoryNames(t testing.TB, db *DB) (names []string) {
	t.Helper()
	l, err := db.LoadStore(background, shopID)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range l.Store.Categories {
		names = append(names, c.Name)
	}
	return names
}

// A change set keeps the API keys and marks the hash of the whole document. The same document does
// nothing at a start, and is imported again by the command.
func TestWholeDocumentsBesideChangeSets(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		before, _ := db.ReadHead(background, shopID)
		done := changeOne(t, db, category(t, 1, "One"))
		after, err := db.ReadHead(background, shopID)
		if err != nil || !after.Changed() || after.Document() != before.Hash || after.Keys != before.Keys || after.Revision != done.Revision || after.Limit != before.Limit {
			t.Fatalf("head %+v, %v; before %+v", after, err, before)
		}
		if a := admit(t, node(t, s), asks("key")); a.Store == nil || len(a.Store.Categories) != 1 {
			t.Errorf("a new node serves %+v", a.Store)
		}
		if _, err := db.SaveStore(background, theShop().document(t), false); err != nil {
			t.Errorf("a start with the same document: %v", err)
		}
		if names := categoryNames(t, db); len(names) != 1 {
			t.Errorf("a start with the same document left %v", names)
		}
		if again, err := db.SaveStore(background, theShop().document(t), true); !again || err != nil {
			t.Errorf("an import of the same document: %v, %v; want an import", again, err)
		}
		if h, _ := db.ReadHead(background, shopID); h.Changed() || len(categoryNames(t, db)) != 0 {
			t.Errorf("after the import of the whole document: %+v, %v", h, categoryNames(t, db))
		}
	})
}

// Replaced parts of a document stay a minute.
func TestReplacedPartsOfAChangedStoreExpire(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		before, _ := db.ReadHead(background, shopID)
		changeOne(t, db, category(t, 1, "One"))
		after, _ := db.ReadHead(background, shopID)
		old := s.Client().PTTL(background, stores.PartKey(shopID, before.Revision, 0)).Val()
		if old <= 0 || old > time.Minute {
			t.Errorf("the replaced part stays %v", old)
		}
		if ttl := s.Client().PTTL(background, stores.PartKey(shopID, after.Revision, 0)).Val(); ttl != -1 {
			t.Errorf("the part in force stays %v", ttl)
		}
	})
}

// Sets of one import are carried out in their order. A faulty one spoils no other.
func TestOneImportOfManySets(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		faulty := parsedSet(t, `{"format":1,"set":{"categories":[{"id":"`+testID(9).String()+`","name":"","slug":"x"}]}}`)
		var changes []*stores.Change
		for _, set := range []*storefile.ChangeSet{category(t, 1, "A"), faulty, category(t, 2, "B"), category(t, 1, "C")} {
			changes = append(changes, &stores.Change{Set: set, By: "test"})
		}
		results := db.ImportChanges(background, shopID, changes)
		revision := results[0].Revision
		for i, r := range results {
			var faults *storefile.Faults
			err := r.Err
			if i == 1 && !errors.As(err, &faults) || i != 1 && (err != nil || r.Revision != revision || r.Changed != 1) {
				t.Errorf("set %d: %+v, %v", i, r.CatalogueChanged, err)
			}
		}
		if got := strings.Join(categoryNames(t, db), " "); got != "C B" {
			t.Errorf("categories %s, want C B", got)
		}
		imports, _, err := db.History(background, shopID)
		if err != nil || len(imports) != 2 || imports[0].Revision != revision || imports[0].By != "test" {
			t.Errorf("history %+v, %v; want the change sets, then the document", imports, err)
		}
	})
}

// The entries are written with the head's move. A set whose entry exists is left out.
func TestChangeSetsAreCarriedOutOnce(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		keyed := func(n int, name string) *stores.Change {
			return &stores.Change{Set: category(t, n, name), EntryKey: fmt.Sprintf("{%s}:once:%d", shopID, n), Entry: func(revision string) string { return revision }}
		}
		first := db.ImportChanges(background, shopID, []*stores.Change{keyed(1, "A")})
		changeOne(t, db, category(t, 1, "newer"))
		again := db.ImportChanges(background, shopID, []*stores.Change{keyed(1, "A"), keyed(2, "B")})
		if err := again[0].Err; !errors.Is(err, stores.ErrCarriedOut) {
			t.Errorf("the repeated set: %v, want ErrCarriedOut", err)
		}
		if err := again[1].Err; err != nil {
			t.Errorf("the other set: %v", err)
		}
		if got := strings.Join(categoryNames(t, db), " "); got != "newer B" {
			t.Errorf("categories %s: an old set is repeated over a newer one", got)
		}
		if entry := s.Client().Get(background, fmt.Sprintf("{%s}:once:1", shopID)).Val(); entry != first[0].Revision {
			t.Errorf("entry %q, want the revision %q", entry, first[0].Revision)
		}
	})
}

// An import of change sets that ends at any of its commands leaves the store as before or, if only
// the last reply was lost, changed. Repeating it completes it.
func TestKilledImportsOfChangeSets(t *testing.T) {
	alone(t)
	for _, lost := range []bool{false, true} {
		finished := false
		for n := int64(1); !finished; n++ {
			if n > 100 {
				t.Fatal("an import has more than 100 commands")
			}
			s := redistest.Mini(t)
			db := node(t, s)
			theShop().save(t, db)
			before, _ := db.ReadHead(background, shopID)
			broken := node(t, s)
			broken.client.Redis.AddHook(breakdown(n, lost))
			ctx, cancel := context.WithTimeout(background, 200*time.Millisecond)
			_, err := broken.ImportChange(ctx, shopID, &stores.Change{Set: category(t, 1, "One")})
			cancel()
			finished = err == nil
			after, _ := db.ReadHead(background, shopID)
			moved := after.Text != before.Text
			if moved != after.Changed() || moved != (len(categoryNames(t, db)) == 1) || moved && !finished && !lost {
				t.Errorf("broken at command %d (reply lost: %v): %v, head %+v", n, lost, err, after)
			}
			if moved && !finished && !errors.Is(err, engine.ErrUnknownOutcome) {
				t.Errorf("broken at command %d: %v, want ErrUnknownOutcome", n, err)
			}
			s.Mini.FastForward(stores.LeaseTime)
			changeOne(t, db, category(t, 1, "One"))
			if names := categoryNames(t, db); len(names) != 1 || names[0] != "One" {
				t.Errorf("repeated after command %d: %v", n, names)
			}
		}
	}
}

// The sets that wait for a store's turn are one import, which begins a second after the last one.
func TestWaitingChangeSetsAreOneImport(t *testing.T) {
	alone(t)
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		theShop().save(t, db)
		began := time.Now()
		var group sync.WaitGroup
		var mu sync.Mutex
		revisions := map[string]int{}
		for n := range 20 {
			group.Go(func() {
				done, err := db.Change(shopID, &stores.Change{Set: category(t, n+1, fmt.Sprint(n))}, time.Now().Add(patience))
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Errorf("set %d: %v", n, err)
				}
				revisions[done.Revision]++
			})
		}
		group.Wait()
		if names := categoryNames(t, db); len(names) != 20 || len(revisions) > 3 {
			t.Errorf("%d categories by %d imports, want 20 by a few", len(names), len(revisions))
		}
		if took := time.Since(began); took < 900*time.Millisecond {
			t.Errorf("the first import began %v after the document's, want a second", took)
		}
	})
}

// A set whose turn cannot come within its deadline is refused at once. A store whose imports take
// long is changed by the command only.
func TestChangeSetsThatCannotCome(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		took := func(ms int) { s.Client().HSet(background, "{"+shopID.String()+"}:imports", "took", ms) }
		took(2500)
		var busy *engine.Busy
		began := time.Now()
		_, err := db.Change(shopID, &stores.Change{Set: category(t, 1, "A")}, time.Now().Add(2*time.Second))
		if !errors.As(err, &busy) || busy.After < 3*time.Second || busy.After > 5*time.Second || time.Since(began) > time.Second {
			t.Errorf("%v after %v, want Busy at once", err, time.Since(began))
		}
		took(3001)
		if _, err := db.Change(shopID, &stores.Change{Set: category(t, 1, "A")}, time.Now().Add(patience)); !errors.Is(err, commerce.StoreTooLarge) {
			t.Errorf("%v, want StoreTooLarge", err)
		}
		changeOne(t, db, category(t, 1, "A"))
		if err := db.client.Redis.HSet(background, "{"+shopID.String()+"}:imports", "took", "").Err(); err != nil {
			t.Fatal(err)
		}
	})
}

// A set that waits is answered as soon as an import, of another node here, has taken too long.
func TestWaitingChangeSetOfAStoreThatIsTooLarge(t *testing.T) {
	t.Parallel()
	s := redistest.Real(t)
	db := node(t, s)
	theShop().save(t, db)
	answered := make(chan error, 1)
	began := time.Now()
	go func() {
		_, err := db.Change(shopID, &stores.Change{Set: category(t, 1, "A")}, began.Add(patience))
		answered <- err
	}()
	time.Sleep(200 * time.Millisecond) // it waits for a second after the document's import
	s.Client().HSet(background, "{"+shopID.String()+"}:imports", "took", 4000)
	if err := <-answered; !errors.Is(err, commerce.StoreTooLarge) || time.Since(began) > 5*time.Second {
		t.Errorf("%v after %v, want StoreTooLarge after a second", err, time.Since(began))
	}
}

// The operator's settings count beside the document's, and imports keep them.
func TestOperatorSettings(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *DB) {
		theShop().save(t, db)
		server := node(t, s)
		if a := admit(t, server, asks("key")); a.Store.Suspended || a.Budget.Limit != commerce.DefaultRateLimit {
			t.Fatalf("before: %+v", a.Budget)
		}
		want := func(step string, suspended bool, limit int) {
			t.Helper()
			a := admit(t, server, asks("key"))
			if a.Store.Suspended != suspended || a.Store.RateLimit != limit || a.Budget.Limit != limit {
				t.Errorf("%s: suspended %v, limit %d, budget %d; want %v, %d", step, a.Store.Suspended, a.Store.RateLimit, a.Budget.Limit, suspended, limit)
			}
		}
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		do(db.Suspend(background, shopID, true))
		do(db.Limit(background, shopID, 7))
		admit(t, server, asks("key")) // it learns of the head
		want("suspended", true, 7)
		changed := theShop()
		changed.Name = "Changed"
		changed.save(t, db)
		changeOne(t, db, category(t, 1, "One"))
		if fresh := admit(t, node(t, s), asks("key")); !fresh.Store.Suspended || fresh.Store.RateLimit != 7 || fresh.Budget.Limit != 7 {
			t.Errorf("after imports: %v, %d, %+v", fresh.Store.Suspended, fresh.Store.RateLimit, fresh.Budget)
		}
		list, err := db.ListStores(background)
		if err != nil || !list[0].Suspended || list[0].Operator != (stores.Operator{Suspended: true, Limit: 7}) || list[0].RateLimit != 7 {
			t.Errorf("list %+v, %v", list, err)
		}
		do(db.Suspend(background, shopID, false))
		do(db.Limit(background, shopID, 0))
		if fresh := admit(t, node(t, s), asks("key")); fresh.Store.Suspended || fresh.Store.RateLimit != commerce.DefaultRateLimit {
			t.Errorf("after the end: %v, %d", fresh.Store.Suspended, fresh.Store.RateLimit)
		}
		_, acts, err := db.History(background, shopID)
		var names []string
		for _, a := range acts {
			names = append(names, strings.TrimSpace(a.Name+" "+a.On))
		}
		if got, want := strings.Join(names, ", "), "limit 0, resume, limit 7, suspend"; got != want || err != nil {
			t.Errorf("acts %s, %v; want %s", got, err, want)
		}
	})
}

// Imports never push an act out of the history.
func TestHistoryKeepsActsAndImportsApart(t *testing.T) {
	redistest.Each(t, func(t *testing.T, s *redistest.Server) {
		db := node(t, s)
		theShop().save(t, db)
		if _, err := db.MakeKey(background, shopID, "app", 0); err != nil {
			t.Fatal(err)
		}
		for n := range 105 {
			changeOne(t, db, category(t, 1, fmt.Sprint(n)))
		}
		imports, acts, err := db.History(background, shopID)
		if err != nil || len(imports) != 100 || len(acts) != 1 || acts[0].On != "app" || acts[0].Name != stores.ActKey {
			t.Errorf("%d imports, acts %+v, %v", len(imports), acts, err)
		}
	})
}
