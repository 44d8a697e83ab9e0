package convert

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

const shopifyHeader = "Handle,Option1 Name,Option1 Value,Variant Price,Variant Inventory Tracker,Image Src,Image Position,Image Alt Text,Variant Image,Tags\n"

// What is beyond a limit of the document is left out, and a note names file, line and handle. The
// product stays, and so do the others.
func TestLimits(t *testing.T) {
	pictures := shopifyHeader + "the-handle,,Default Title,1.00,,/1.jpg,1,,,\n"
	for i := 2; i <= 22; i++ {
		pictures += fmt.Sprintf("the-handle,,,,,/%d.jpg,%d,,,\n", i, i)
	}
	variants := shopifyHeader
	for i := range 2002 {
		variants += fmt.Sprintf("the-handle,Size,%d,1.00,,,,,,\n", i)
	}
	manyPictures := shopifyHeader
	for i := range 480 {
		manyPictures += fmt.Sprintf("the-handle,Size,%d,1.00,,,,,https://cdn.example.com/%s-%d.jpg,\n", i, strings.Repeat("x", 130), i)
	}
	attributes, values := "product,price,stock", "the-handle,1.00,1"
	for i := range 51 {
		attributes, values = attributes+fmt.Sprint(",attribute:A", i), values+",x"
	}
	at := func(line int) string { return fmt.Sprintf(`1.csv: line %d, product "the-handle": `, line) }
	for _, c := range []struct {
		name  string
		read  reading
		table string
		first string // the first note
		notes int
		ok    func(r *result) bool
	}{
		{"22 pictures", readShopify, pictures, at(22) + `the picture "/21.jpg" is left out: there are at most 20`, 2,
			func(r *result) bool {
				return len(r.Products[0].Media) == 20 && r.Products[0].Media[19].URL == "/20.jpg"
			}},
		{"long alt text", readShopify, shopifyHeader + "the-handle,,Default Title,1.00,,/1.jpg,1," + strings.Repeat("ä ", 200) + ",,\n",
			at(2) + "the alt text was cut to 255 characters", 1,
			func(r *result) bool { return utf8.RuneCountInString(r.Products[0].Media[0].Alt) == 255 }},
		{"http:// picture", readShopify, shopifyHeader + "the-handle,,Default Title,1.00,,http://a.example.com/1.jpg,1,,,\n",
			at(2) + `the picture "http://a.example.com/1.jpg" is left out: its address must begin with https://`, 1,
			func(r *result) bool { return len(r.Products[0].Media) == 0 }},
		{"long address", readCSV, "product,price,stock,pictures\nthe-handle,1.00,1,https://a/" + strings.Repeat("x", 2040) + " /2.jpg //host/x https:///x\n",
			at(2) + `the picture "https://a/`, 3,
			func(r *result) bool { return len(r.Products[0].Media) == 1 }},
		{"too many variants", readShopify, variants, at(2002) + `the variant "2000" is left out: a product has at most 2000`, 2,
			func(r *result) bool { return len(r.Products[0].Variants) == 2000 }},
		{"pictures of too many variants", readShopify, manyPictures, `1.csv: line 3`, 97, func(r *result) bool {
			p := r.Products[0]
			return len(p.Variants) == 480 && len(p.Variants[0].Media) == 1 && len(p.Variants[479].Media) == 0 && len(p.Variants[479].Attributes) == 1
		}},
		{"long option name and value", readShopify, shopifyHeader + "the-handle," + strings.Repeat("N", 70) + "," + strings.Repeat("V", 300) + ",1.00,,,,,,\n",
			at(2) + "the name of an option was cut to 64 characters", 3, func(r *result) bool { return len(r.Products[0].Variants[0].Attributes[0].Values[0]) == 255 }},
		{"long tags", readShopify, shopifyHeader + `the-handle,,Default Title,1.00,,,,,,"` + strings.Repeat("x", 300) + ", " + strings.Repeat("é", 200) + "\"\n",
			at(2) + "a tag was cut to 255 characters", 1, func(r *result) bool { return len(r.Products[0].Attributes[0].Values) == 2 }},
		{"many tags", readShopify, shopifyHeader + `the-handle,,Default Title,1.00,,,,,,"` +
			strings.Join(strings.Split("abcdefghijklmnopqrstuvwxy", ""), ",") + "\"\n",
			at(2) + "only the first 20 of 25 tags were taken over", 1, func(r *result) bool { return len(r.Products[0].Attributes[0].Values) == 20 }},
		{"long name", readCSV, "product,name,price,stock\nthe-handle," + strings.Repeat("é", 300) + ",1.00,1\n", at(2) + "the name was cut to 255 characters", 1,
			func(r *result) bool { return utf8.RuneCountInString(r.Products[0].Name) == 255 }},
		{"many attributes", readCSV, attributes + "\n" + values + "\n", at(2) + `the attribute "A50" is left out: there are at most 50`, 1,
			func(r *result) bool { return len(r.Products[0].Attributes) == 50 }},
		{"amounts", readCSV, "product,price,stock,tax,weight_grams\nthe-handle,10000000000.01,1,101,1000000001\nother,1,1,,\n",
			at(2) + `the price "10000000000.01" is no number`, 4,
			func(r *result) bool { return r.Products[0].Prices.Base == nil && r.Products[0].Weight == nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := converted(t, c.read, c.table)
			if len(r.notes) == 0 || !strings.HasPrefix(r.notes[0], c.first) {
				t.Errorf("first note\n got %.3q\nwant %s", r.notes, c.first)
			}
			named := 0
			for _, n := range r.notes {
				if strings.HasPrefix(n, "1.csv: line ") && strings.Contains(n, `, product "the-handle": `) {
					named++
				}
			}
			if c.notes > 0 && named != c.notes && c.name != "pictures of too many variants" {
				t.Errorf("got %d notes of the handle, want %d: %.3q", named, c.notes, r.notes)
			}
			if !c.ok(r) {
				t.Errorf("%.2000s", r.text)
			}
		})
	}
}

// Two long names that become one by cutting keep their values apart.
func TestCutNamesOfOptions(t *testing.T) {
	long := strings.Repeat("N", 70)
	r := converted(t, readShopify, "Handle,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant Price,Variant Inventory Tracker\n"+
		"a,"+long+"1,x,"+long+"2,y,1.00,\n")
	expect(t, "attributes", len(r.Products[0].Variants[0].Attributes), 2)
	r = converted(t, readCSV, "product,price,stock,attribute:"+long+"1,attribute:"+long+"2\na,1.00,1,x,y\n")
	expect(t, "first attribute", r.Products[0].Attributes[0].Values[0], "x")
	if !strings.Contains(strings.Join(r.notes, "\n"), "is left out: there is one of this name") {
		t.Errorf("%q", r.notes)
	}
}
