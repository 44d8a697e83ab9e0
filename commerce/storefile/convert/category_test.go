package convert

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// Names that differ in letter case or space are one category; others that make one slug are numbered.
func TestCategories(t *testing.T) {
	r := converted(t, readCSV, "product,price,stock,categories\na,1.00,1,Kitchen > Cups;Kitchen-Cups\nb,1.00,1,kitchen > CUPS\nc,1.00,1,C;C++;🎁;🎄 > 🎁\n")
	var got []string
	parents := map[uuid.UUID]string{uuid.Nil: ""}
	for _, c := range r.Categories {
		parents[c.ID] = c.Name + " > "
		got = append(got, parents[c.ParentID]+c.Name+" = "+c.Slug)
	}
	expect(t, "categories", got, []string{
		"Kitchen = kitchen", "Kitchen > Cups = kitchen-cups", "Kitchen-Cups = kitchen-cups-2", "C = c", "C++ = c-2", "🎁 = category",
		"🎄 = category-2", "🎄 > 🎁 = category-3",
	})
	expect(t, "b is in the category of a", r.Products[1].CategoryIDs, r.Products[0].CategoryIDs[:1])
	r.expectNotes(t,
		`line 2, product "a": the slug of the category "Kitchen-Cups" is "kitchen-cups-2"`,
		`line 3, product "b": the category "kitchen" is taken for "Kitchen"`,
		`line 3, product "b": the category "CUPS" is taken for "Cups"`,
		`line 4, product "c": the slug of the category "C++" is "c-2"`,
		`the slug of the category "🎁" is "category"`, `the slug of the category "🎄" is "category-2"`, `the slug of the category "🎁" is "category-3"`,
	)
}

// A path of categories ends at the last level that a document has.
func TestLevelsOfCategories(t *testing.T) {
	var path []string
	for i := range 40 {
		path = append(path, fmt.Sprint("L", i))
	}
	r := converted(t, readCSV, "product,price,stock,categories\na,1.00,1,"+strings.Join(path, ">")+"\n")
	expect(t, "categories", len(r.Categories), 32)
	expect(t, "category of a", r.Products[0].CategoryIDs[0], r.Categories[31].ID)
	r.expectNotes(t, `line 2, product "a": the path of categories ends at 32 levels: "L32" and what follows it is left out`)
}
