package stores

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/internal/redistest"
)

// category is a change set that sets one category.
func category(t testing.TB, n int, name string) *Change {
	t.Helper()
	text := fmt.Sprintf(`{"format":1,"set":{"categories":[{"id":"%s","name":%q,"slug":"s%d"}]}}`, testID(n), name, n)
	set, err := storefile.ParseChangeSet([]byte(text), storefile.OperatorSettings)
	if err != nil {
		t.Fatal(err)
	}
	return &Change{Set: set, By: "test"}
}

func changeOne(t testing.TB, db *Stores, c *Change) engine.CatalogueChanged {
	t.Helper()
	done, err := db.ImportChange(background, shopID, c)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// categories are the names of the store's categories in Redis.
func categories(t testing.TB, db *Stores) string {
	t.Helper()
	l, err := db.LoadStore(background, shopID)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range l.Store.Categories {
		names = append(names, c.Name)
	}
	return strings.Join(names, " ")
}

// Sets of one import are carried out in their order. A faulty one spoils no other.
func TestOneImportOfManySets(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		results := db.importChanges(background, shopID, []*Change{category(t, 1, "A"), category(t, 9, ""), category(t, 2, "B"), category(t, 1, "C")})
		revision := results[0].Revision
		for i, r := range results {
			var faults *storefile.Faults
			if i == 1 && !errors.As(r.Err, &faults) || i != 1 && (r.Err != nil || r.Revision != revision || r.Changed != 1) {
				t.Errorf("set %d: %+v, %v", i, r.CatalogueChanged, r.Err)
			}
		}
		if got := categories(t, db); got != "C B" {
			t.Errorf("categories %s, want C B", got)
		}
		imports, _, err := db.History(background, shopID)
		if err != nil || len(imports) != 2 || imports[0].Revision != revision || imports[0].By != "test" {
			t.Errorf("history %+v, %v; want the change sets, then the document", imports, err)
		}
	})
}

// The entries are written with the commit. A set whose entry exists is left out.
func TestChangeSetsAreCarriedOutOnce(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		keyed := func(n int, name string) *Change {
			c := category(t, n, name)
			c.EntryKey, c.Entry = fmt.Sprintf("{%s}:once:%d", shopID, n), func(stamp engine.Stamp) []byte { return []byte(engine.RevisionOf(stamp)) }
			return c
		}
		first := db.importChanges(background, shopID, []*Change{keyed(1, "A")})
		changeOne(t, db, category(t, 1, "newer"))
		again := db.importChanges(background, shopID, []*Change{keyed(1, "A"), keyed(2, "B")})
		if !errors.Is(again[0].Err, ErrCarriedOut) || again[1].Err != nil {
			t.Errorf("the repeated set: %v, want ErrCarriedOut; the other: %v", again[0].Err, again[1].Err)
		}
		if got := categories(t, db); got != "newer B" {
			t.Errorf("categories %s: an old set is repeated over a newer one", got)
		}
		if entry := s.Client().Get(background, keyed(1, "").EntryKey).Val(); entry != first[0].Revision {
			t.Errorf("entry %q, want the revision %q", entry, first[0].Revision)
		}
	})
}

// The operator's settings count beside the document's, and imports keep them.
func TestOperatorSettings(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		server := node(t, s)
		want := func(step string, server *Stores, suspended bool, limit int) {
			t.Helper()
			a := serve(t, server, "key")
			if a.Store.Suspended != suspended || a.Store.RateLimit != limit || a.Head.Limit != limit {
				t.Errorf("%s: suspended %v, limit %d, in the head %d; want %v, %d", step, a.Store.Suspended, a.Store.RateLimit, a.Head.Limit, suspended, limit)
			}
		}
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		want("before", server, false, commerce.DefaultRateLimit)
		do(db.Suspend(background, shopID, true))
		do(db.Limit(background, shopID, 7))
		want("suspended", server, true, 7)
		named("Changed").save(t, db)
		changeOne(t, db, category(t, 1, "One"))
		want("after imports", node(t, s), true, 7)
		list, err := db.ListStores(background)
		if err != nil || !list[0].Suspended || list[0].Operator != (Operator{Suspended: true, Limit: 7}) || list[0].RateLimit != 7 {
			t.Errorf("list %+v, %v", list, err)
		}
		do(db.Suspend(background, shopID, false))
		do(db.Limit(background, shopID, 0))
		want("after the end", node(t, s), false, commerce.DefaultRateLimit)
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
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		makeKey(t, db, 0)
		for n := range 105 {
			changeOne(t, db, category(t, 1, fmt.Sprint(n)))
		}
		imports, acts, err := db.History(background, shopID)
		if err != nil || len(imports) != 100 || len(acts) != 1 || acts[0].On != "made" || acts[0].Name != actKey {
			t.Errorf("%d imports, acts %+v, %v", len(imports), acts, err)
		}
	})
}
