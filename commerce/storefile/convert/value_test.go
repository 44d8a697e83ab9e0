package convert

import "testing"

// A comma is the decimal sign where semicolons or tabs separate. What can be read in two ways is no
// number.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		text          string
		plain, commas string // "" if it is no number
	}{
		{"19.95", "19.95", "19.95"}, {"19,95", "", "19.95"}, {"1.234,50", "", "1234.5"}, {"1,234.50", "1234.5", ""}, {"1.000", "1", ""},
		{"1,000", "", "1"}, {"€ 19.95", "19.95", "19.95"}, {"19,95 €", "", "19.95"}, {"-3", "-3", "-3"}, {"1e3", "", ""}, {"", "", ""}, {"1.2.3", "", ""},
		{"1 234,50 €", "", "1234.5"}, {"12\u202f345,00", "", "12345"}, {"1\u00a0234\u00a0567", "1234567", "1234567"}, {"1'234.50", "1234.5", "1234.5"},
		{"1 23", "", ""}, {"1 2345", "", ""}, {"1 234 56", "", ""}, {"1 234'567", "", ""}, {"1234 567", "", ""},
		{"1,2,3", "", ""}, {"free", "", ""}, {"1234567890123456789012345", "", ""}, {"12.345.678,9", "", "12345678.9"}, {".5", "0.5", "0.5"},
	} {
		for commas, want := range map[bool]string{false: c.plain, true: c.commas} {
			n, ok := (&row{commas: commas}).number(c.text)
			got := n.String()
			if !ok {
				got = ""
			}
			if got != want {
				t.Errorf("%q, commas %v: got %q, want %q", c.text, commas, got, want)
			}
		}
	}
}

// False has a word of its own in each language of a spreadsheet; -1 is WooCommerce's draft.
func TestWordsForFalse(t *testing.T) {
	table := "Handle,Option1 Value,Variant Price,Variant Inventory Tracker,Published\n"
	for _, word := range []string{"FALSCH", "FAUX", "FALSE", "0", "no", "No", "nein", "ONWAAR", "FALSO", "-1"} {
		table += word + ",Default Title,1.00,," + word + "\n"
	}
	r := converted(t, readShopify, table+"yes,Default Title,1.00,,WAHR\nempty,Default Title,1.00,,\n")
	for _, p := range r.Products {
		expect(t, p.Slug, p.Active, p.Slug == "yes" || p.Slug == "empty")
	}
}

func TestStatus(t *testing.T) {
	r := converted(t, readShopify, "Handle,Option1 Value,Variant Price,Variant Inventory Tracker,Published,Status\n"+
		"a,Default Title,1.00,,true,active\nb,Default Title,1.00,,true,Draft\nc,Default Title,1.00,,false,active\nd,Default Title,1.00,,true,unlisted\n")
	expect(t, "active", []bool{r.Products[0].Active, r.Products[1].Active, r.Products[2].Active, r.Products[3].Active}, []bool{true, false, false, false})
	r.expectNotes(t, `line 5, product "d": the status "unlisted" is none of active, draft and archived: the product is not active`)
}

func TestCompareAtPrices(t *testing.T) {
	r := converted(t, readCSV, "product;price;compare_at_price;stock\na;1,50;2,9;1\nb;1;;1\nc;1;soon;1\nd;1;0;1\n")
	expect(t, "a", r.Products[0].Metadata[0].Value.Text, "2.90")
	expect(t, "others", []int{len(r.Products[1].Metadata), len(r.Products[2].Metadata), len(r.Products[3].Metadata)}, []int{0, 0, 0})
	r.expectNotes(t, `line 4, product "c": the compare-at price "soon" is no price`)
}
