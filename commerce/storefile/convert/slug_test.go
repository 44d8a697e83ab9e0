package convert

import (
	"strings"
	"testing"
	"unicode/utf8"

	"cartd/commerce"
)

func slugsOf(r *result) (all []string) {
	for _, p := range r.Products {
		all = append(all, p.Slug)
	}
	return all
}

// Handles that make one slug have numbered ones; a handle that is a slug keeps its address, and the
// others are redirected.
func TestSlugsOfProducts(t *testing.T) {
	r := converted(t, readCSV, "product,price,stock\nMug,1.00,1\nt_shirt,1.00,1\nmug,1.00,1\n🎁,1.00,1\n🎄,1.00,1\nकिताब,1.00,1\n")
	expect(t, "slugs", slugsOf(r), []string{"mug-2", "t-shirt", "mug", "product", "product-2", "किताब"})
	r.expectNotes(t,
		`line 2, product "Mug": its slug is "mug-2"; its old address is redirected`,
		`line 3, product "t_shirt": its slug is "t-shirt"; its old address is redirected`,
		`line 5, product "🎁": its slug is "product"; its old address is redirected`,
		`line 6, product "🎄": its slug is "product-2"; its old address is redirected`,
	)
	expect(t, "redirects", r.Redirects[:2], []commerce.Redirect{
		{From: "/products/Mug", To: "/products/mug-2", Status: 301}, {From: "/products/t_shirt", To: "/products/t-shirt", Status: 301},
	})
	r = converted(t, readCSV, "product,price,stock\n"+strings.Repeat("é", 300)+",1.00,1\n")
	expect(t, "characters of a long slug", utf8.RuneCountInString(r.Products[0].Slug), 255)
}

// A name that stands for the handle is no old address.
func TestSlugsOfNames(t *testing.T) {
	r := converted(t, readCSV, "name,price,stock\nBig Mug,1.00,1\nBig-Mug,1.00,1\n🎁,1.00,1\n")
	expect(t, "slugs", slugsOf(r), []string{"big-mug", "big-mug-2", "product"})
	expect(t, "redirects", len(r.Redirects), 0)
	r.expectNotes(t, `product "Big-Mug": its slug is "big-mug-2"`, `product "🎁": its slug is "product"`)
}
