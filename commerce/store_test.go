package commerce

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"

	"cartd/internal/dice"
)

// A store that follows another one finds the same products by id, variant and slug, and gives each the same ranges,
// as one that was indexed anew. The lists that did not change are those of the store before.
func TestIndexAfterMatchesANewIndex(t *testing.T) {
	r := dice.New(t)
	reordered, same := 0, 0
	for range 30 {
		s := &Store{Modules: AllModules()}
		for i := range 1 + r.IntN(6) {
			c := Category{ID: testID(i + 1)}
			if i > 0 && r.IntN(2) == 0 {
				c.ParentID = testID(1 + r.IntN(i))
			}
			s.Categories = append(s.Categories, c)
		}
		s.Index()
		for range 20 {
			next := someNextStore(r, s)
			if r.IntN(3) == 0 {
				next.Discounts = someRanges(r, next)
			}
			if r.IntN(4) == 0 {
				next.Categories = slices.Clone(next.Categories)
				next.Categories[r.IntN(len(next.Categories))].ParentID = uuid.Nil
			}
			anew := *next
			next.IndexAfter(s)
			anew.Index()
			compareIndexes(t, next, &anew)
			changes, moved := next.ProductChanges(s)
			if want := movedProducts(s, next); moved && !want {
				t.Fatalf("the products of %v are said to be in another order: %v", numbersOf(s), numbersOf(next))
			} else if want {
				reordered++
			} else if len(changes) == 0 {
				same++
			}
			s = next
		}
	}
	if reordered < 20 || same < 5 {
		t.Errorf("%d stores with products in another order and %d without a change show little", reordered, same)
	}
}

// someNextStore is a store with other products: some copied and changed, removed, added, sometimes moved.
func someNextStore(r *rand.Rand, s *Store) *Store {
	next := *s
	next.Products = nil
	for _, p := range s.Products {
		switch r.IntN(12) {
		case 0: // removed
		case 1, 2:
			p = somethingElse(r, p)
			fallthrough
		default:
			next.Products = append(next.Products, p)
		}
	}
	for range r.IntN(4) * r.IntN(3) {
		id := testID(100 + r.IntN(60))
		if !slices.ContainsFunc(next.Products, func(p *Product) bool { return p.ID == id }) {
			p := somethingElse(r, &Product{ID: id})
			next.Products = slices.Insert(next.Products, r.IntN(len(next.Products)+1), p)
		}
	}
	if len(next.Products) > 1 && r.IntN(4) == 0 {
		i, j := r.IntN(len(next.Products)), r.IntN(len(next.Products))
		next.Products[i], next.Products[j] = next.Products[j], next.Products[i]
	}
	free := r.Perm(len(next.Products)) // slugs go from one product to another
	for i, p := range next.Products {
		if at := slices.IndexFunc(next.Products, func(q *Product) bool { return q.Slug == p.Slug }); at != i {
			q := *p
			q.Slug = fmt.Sprint("other-", free[i], "-", r.IntN(1<<30))
			next.Products[i] = &q
		}
	}
	return &next
}

func somethingElse(r *rand.Rand, p *Product) *Product {
	q := *p
	q.Slug, q.Active, q.TrackStock = fmt.Sprint("s", r.IntN(80)), r.IntN(4) > 0, r.IntN(2) == 0
	q.CategoryIDs, q.Variants = nil, nil
	for i := range 6 {
		if r.IntN(4) == 0 {
			q.CategoryIDs = append(q.CategoryIDs, testID(i+1))
		}
		if r.IntN(3) == 0 {
			q.Variants = append(q.Variants, Variant{ID: testID(1000 + 6*int(p.ID[15]) + i)})
		}
	}
	return &q
}

func someRanges(r *rand.Rand, s *Store) (all []Discount) {
	for range r.IntN(4) {
		d := Discount{Active: true}
		for _, ids := range []*[]uuid.UUID{&d.ProductIDs, &d.ExcludedIDs} {
			for _, p := range s.Products {
				if r.IntN(6) == 0 {
					*ids = append(*ids, p.ID)
				}
			}
		}
		for range r.IntN(3) {
			d.CategoryIDs = append(d.CategoryIDs, s.Categories[r.IntN(len(s.Categories))].ID)
		}
		all = append(all, d)
	}
	return all
}

func compareIndexes(t *testing.T, next, anew *Store) {
	t.Helper()
	for i := range 60 {
		id := testID(100 + i)
		if got, want := next.Product(id), anew.Product(id); got != want {
			t.Fatalf("product %d is %v, want %v", i, got, want)
		}
		if got, want := next.discounts.ranges.Get(id), anew.discounts.ranges.Get(id); !slices.Equal(got, want) {
			t.Fatalf("product %d is in the lists %v, want %v", i, got, want)
		}
		slug := fmt.Sprint("s", i)
		if got, want := next.ActiveProduct(slug), anew.ActiveProduct(slug); got != want {
			t.Fatalf("%s is %v, want %v", slug, got, want)
		}
	}
	for i := range 6 * 256 {
		id := testID(1000 + i)
		if got, want := next.productOfVariant.Get(id), anew.productOfVariant.Get(id); got != want {
			t.Fatalf("variant %d is of %v, want %v", i, got, want)
		}
	}
	for what, sizes := range map[string][2]int{
		"products": {next.productByID.Len(), anew.productByID.Len()}, "slugs": {next.productBySlug.Len(), anew.productBySlug.Len()},
		"variants": {next.productOfVariant.Len(), anew.productOfVariant.Len()}, "ranges": {next.discounts.ranges.Len(), anew.discounts.ranges.Len()},
	} {
		if sizes[0] != sizes[1] {
			t.Fatalf("%d %s are found, want %d", sizes[0], what, sizes[1])
		}
	}
	if next.HoldsStock() != anew.HoldsStock() {
		t.Fatalf("holds stock: %v, want %v", next.HoldsStock(), anew.HoldsStock())
	}
}

// movedProducts reports whether the products of both stores are in another order.
func movedProducts(a, b *Store) bool {
	var common [2][]uuid.UUID
	for i, stores := range [][2]*Store{{a, b}, {b, a}} {
		for _, p := range stores[0].Products {
			if slices.ContainsFunc(stores[1].Products, func(q *Product) bool { return q.ID == p.ID }) {
				common[i] = append(common[i], p.ID)
			}
		}
	}
	return !slices.Equal(common[0], common[1])
}

func numbersOf(s *Store) (all []byte) {
	for _, p := range s.Products {
		all = append(all, p.ID[15])
	}
	return all
}
