package stores

import (
	"errors"
	"fmt"
	"reflect"
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

// Sets of a command are carried out in their order, and share a line of the history within a minute. A faulty one changes
// nothing.
func TestSetsOfACommand(t *testing.T) {
	eachNode(t, func(t *testing.T, s *redistest.Server, db *Stores) {
		theShop().save(t, db)
		changeOne(t, db, category(t, 1, "A"))
		before := everything(t, s)
		var faults *storefile.Faults
		if _, err := db.ImportChange(background, shopID, category(t, 9, "")); !errors.As(err, &faults) || !reflect.DeepEqual(everything(t, s), before) {
			t.Errorf("a faulty set: %v", err)
		}
		changeOne(t, db, category(t, 2, "B"))
		last := changeOne(t, db, category(t, 1, "C"))
		if got := categories(t, db); got != "C B" {
			t.Errorf("categories %s, want C B", got)
		}
		imports, _, err := db.History(background, shopID)
		if err != nil || len(imports) != 2 || imports[0].Revision != last.Revision || imports[0].By != "test" || imports[0].Sets != 3 {
			t.Errorf("history %+v, %v; want the change sets, then the document", imports, err)
		}
		wantSound(t, s, db)
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
			set := category(t, 1, fmt.Sprint(n))
			set.By = fmt.Sprint("test ", n)
			changeOne(t, db, set)
		}
		imports, acts, err := db.History(background, shopID)
		if err != nil || len(imports) != 100 || len(acts) != 1 || acts[0].On != "made" || acts[0].Name != actKey {
			t.Errorf("%d imports, acts %+v, %v", len(imports), acts, err)
		}
	})
}
