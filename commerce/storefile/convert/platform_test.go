package convert

import (
	"fmt"
	"strings"
	"testing"

	"cartd/commerce"
)

// told is what a reading by hand finds in a product: what it is, its variants with prices and stock, its
// categories, attributes and pictures.
func told(r *result, p *commerce.Product) string {
	var b strings.Builder
	price := func(at *commerce.Amount) string {
		if at == nil {
			return "-"
		}
		return fmt.Sprint(int64(*at))
	}
	fmt.Fprintf(&b, "%s %s sku=%s price=%s active=%v ships=%v", p.Slug, p.Name, p.SKU, price(p.Prices.Base), p.Active, p.RequiresShipping)
	if p.TrackStock {
		b.WriteString(" tracked")
	}
	fmt.Fprintf(&b, " stock=%v tax=%v", p.Stock, p.Tax.Rate)
	if p.Weight != nil {
		fmt.Fprintf(&b, " %vg", *p.Weight)
	}
	for _, id := range p.CategoryIDs {
		for _, c := range r.Categories {
			if c.ID == id {
				b.WriteString(" in " + c.Slug)
			}
		}
	}
	shows(&b, &p.Display)
	for i := range p.Variants {
		v := &p.Variants[i]
		fmt.Fprintf(&b, "\n  %s sku=%s price=%s active=%v stock=%v", v.Name, v.SKU, price(v.Prices.Base), v.Active, v.Stock)
		if v.Weight != nil {
			fmt.Fprintf(&b, " %vg", *v.Weight)
		}
		shows(&b, &v.Display)
	}
	return b.String()
}

func shows(b *strings.Builder, d *commerce.Display) {
	for _, a := range d.Attributes {
		fmt.Fprintf(b, " %s:%s", a.Name, strings.Join(a.Values, "|"))
	}
	for _, m := range d.Metadata {
		fmt.Fprintf(b, " %s=%s", m.Key, m.Value.Text)
	}
	for _, m := range d.Media {
		b.WriteString(" " + m.URL)
	}
}

func (r *result) tells(t *testing.T, want ...string) {
	t.Helper()
	var all []string
	for _, p := range r.Products {
		all = append(all, told(r, p))
	}
	if got := strings.Join(all, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

const wooSample = `ID,Type,SKU,Name,Published,"Is featured?","Visibility in catalog","Short description",Description,"Date sale price starts",` +
	`"Date sale price ends","Tax status","Tax class","In stock?",Stock,"Backorders allowed?","Weight (kg)","Sale price","Regular price",Categories,Tags,` +
	`Images,Parent,"Attribute 1 name","Attribute 1 value(s)","Attribute 1 visible","Attribute 1 global","Attribute 2 name","Attribute 2 value(s)"
3,"variation, virtual",TEE-M,"Tee - M",1,0,visible,,,,,taxable,parent,1,4,0,,15,20,,,,TEE,Size,M,,1,,
1,variable,TEE,Tee,1,0,visible,Soft.,"<b>Cotton</b>\n\nWash at 30&deg;.",,,taxable,,1,,0,0.25,,,"Clothing, Clothing > T-shirts","new, red",` +
	`"https://e.example/1.jpg, https://e.example/2.jpg",,Size,"S, M",1,1,Fabric,"Cotton, Linen"
2,variation,TEE-S,"Tee - S",1,0,visible,,,,,taxable,parent,1,5,0,0.2,,20,,,https://e.example/s.jpg,TEE,Size,S,,1,,
4,"simple, virtual",COURSE,"Salt &amp; pepper",1,0,visible,,,,,none,,1,,0,,,99,Courses,,,,,,,,,
5,simple,A-1,Album,1,0,visible,,,2026-12-01,2026-12-24,taxable,,0,,0,,8,10,"Rock\, Pop",,,,,,,,,
6,simple,A-2,Album,-1,0,visible,,,,,taxable,,1,12,notify,,,11,,,,,,,,,,
7,grouped,G,Set,1,0,visible,,,,,taxable,,1,,0,,,,,,,,,,,,,
8,external,E,Other,1,0,visible,,,,,taxable,,1,,0,,,5,,,,,,,,,,
9,variation,X-1,"Lonely - S",1,0,visible,,,,,taxable,,1,1,0,,,5,,,,id:77,Size,S,,,,
10,simple,H,Hidden,1,0,hidden,,,,,taxable,reduced-rate,1,3,0,,,5,,,,,,,,,,
`

// WooCommerce's export: variations are variants, commas separate categories, and what is virtual is not
// delivered.
func TestWooCommercesExport(t *testing.T) {
	r := converted(t, readCSV, wooSample)
	r.tells(t,
		"tee Tee sku=TEE price=- active=true ships=true tracked stock=0 tax=21 250g in clothing in clothing-t-shirts Tags:new|red Fabric:Cotton|Linen "+
			"https://e.example/1.jpg https://e.example/2.jpg",
		"  M sku=TEE-M price=1500 active=true stock=4 Size:M compare_at_price=20.00",
		"  S sku=TEE-S price=2000 active=true stock=5 200g Size:S https://e.example/s.jpg",
		"salt-pepper Salt & pepper sku=COURSE price=9900 active=true ships=false stock=0 tax=0 in courses",
		"album Album sku=A-1 price=1000 active=true ships=true tracked stock=0 tax=21 in rock-pop",
		"album-6 Album sku=A-2 price=1100 active=false ships=true tracked stock=12 tax=21",
		"hidden Hidden sku=H price=500 active=false ships=true tracked stock=3 tax=21",
	)
	expect(t, "description", r.product(t, "tee").Description, "Soft.\n\nCotton\n\nWash at 30°.")
	r.expectNotes(t,
		`it is an export of WooCommerce`,
		`line 8, product "Set": the product is left out: it is a group of other products`,
		`line 9, product "Other": the product is left out: it is sold elsewhere`,
		`line 10, product "Lonely - S": the variation is left out: its parent "id:77" is in no table`,
		`line 11, product "hidden": it is hidden in the catalogue there: it is not active`,
		`line 6, product "album": the sale price "8" is left out, for it is dated`,
		`line 7, product "album-6": it may be sold beyond its stock there`,
		`line 11, product "hidden": the tax class reduced-rate has no rate in the export: the product got 21`,
		`product "tee": 1 of its variants need no delivery there`,
		`product "tee": the description is HTML`,
		`product "salt-pepper": the stock is not counted there`,
		`not taken over: Is featured?`,
	)
	again := over(t, readCSV, r.text, wooSample)
	same(t, "a second conversion", again.text, r.text)
}

// A variant that is out of stock without being counted is not sold without a bound.
func TestSoldOutBesideUncounted(t *testing.T) {
	r := converted(t, readCSV, "ID,Type,SKU,Name,Published,In stock?,Stock,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)\n"+
		"1,variable,T,Tee,1,1,,,,Size,\"S, M\"\n2,variation,T-S,Tee,1,0,,20,id:1,Size,S\n3,variation,T-M,Tee,1,1,,20,id:1,Size,M\n")
	r.tells(t, "tee Tee sku=T price=- active=true ships=true stock=0 tax=21", "  S sku=T-S price=2000 active=false stock=0 Size:S",
		"  M sku=T-M price=2000 active=true stock=0 Size:M")
}

// A variation without a value of an attribute stands for any value.
func TestVariationsOfAnyValue(t *testing.T) {
	r := converted(t, readCSV, "ID,Type,SKU,Name,Published,In stock?,Stock,Regular price,Parent,Attribute 1 name,Attribute 1 value(s),Attribute 2 name,"+
		"Attribute 2 value(s)\n1,variable,T,Tee,1,1,,,,Colour,\"Red, Blue\",Size,\"S, M\"\n2,variation,T-R,Tee - Red,1,1,7,20,T,Colour,Red,Size,\n"+
		"3,variation,T-B,Tee - Blue,1,1,,15,T,Colour,Blue,Size,\n")
	r.tells(t, "tee Tee sku=T price=- active=true ships=true stock=0 tax=21", "  Red / S sku=T-R price=2000 active=true stock=0 Colour:Red Size:S",
		"  Red / M sku=T-R price=2000 active=true stock=0 Colour:Red Size:M", "  Blue / S sku=T-B price=1500 active=true stock=0 Colour:Blue Size:S",
		"  Blue / M sku=T-B price=1500 active=true stock=0 Colour:Blue Size:M")
	r.expectNotes(t, "it is an export of WooCommerce", `line 3, product "tee": the variants share the quantity there: it is left out`,
		`line 3, product "tee": the stock is not counted there`)
}

// Medusa's exports of versions 1 and 2.
func TestMedusasExport(t *testing.T) {
	r := converted(t, readCSV, "Product Id,Product Handle,Product Title,Product Subtitle,Product Description,Product Status,Product Thumbnail,Product Weight,"+
		"Product Collection Title,Product Type,Product Tags,Variant Id,Variant Title,Variant SKU,Variant Barcode,Variant Inventory Quantity,"+
		"Variant Allow Backorder,Variant Manage Inventory,Price USD,Price EUR,Option 1 Name,Option 1 Value,Image 1 Url\n"+
		"prod_1,shorts,Shorts,,Cotton.,draft,https://e.example/t.jpg,400,Summer,,\"new,red\",v1,S,S-1,123,7,false,true,12,10,Size,S,https://e.example/1.jpg\n"+
		"prod_1,shorts,Shorts,,Cotton.,draft,https://e.example/t.jpg,400,Summer,,\"new,red\",v2,M,S-2,,8,false,true,12,10.50,Size,M,https://e.example/1.jpg\n")
	r.tells(t, "shorts Shorts sku= price=- active=false ships=true tracked stock=0 tax=21 400g in summer Tags:new|red "+
		"https://e.example/t.jpg https://e.example/1.jpg",
		"  S sku=S-1 price=1000 active=true stock=7 Size:S barcode=123", "  M sku=S-2 price=1050 active=true stock=8 Size:M")
	r.expectNotes(t, "it is an export of Medusa", "not taken over: Price USD")
	r = converted(t, readCSV, "Product Id,Product Handle,Product Title,Product Status,Variant Title,Variant Sku,Variant Manage Inventory,Variant Price USD,"+
		"Variant Option 1 Name,Variant Option 1 Value,Variant Option 2 Name,Variant Option 2 Value,Product Image 1 Url\n"+
		"prod_1,tee,Tee,published,S / Black,T-1,false,15,Size,S,Colour,Black,https://e.example/1.jpg\n"+
		"prod_2,card,Card,published,Default variant,C-1,false,5,Default option,Default option value,,,\n")
	r.tells(t, "tee Tee sku= price=- active=true ships=true stock=0 tax=21 https://e.example/1.jpg",
		"  S / Black sku=T-1 price=1500 active=true stock=0 Size:S Colour:Black",
		"card Card sku=C-1 price=500 active=true ships=true stock=0 tax=21")
	r.expectNotes(t, "it is an export of Medusa", "it has no column of prices in EUR: the numbers of Variant Price USD are taken as they are (and 1 further row)")
}

const wixSample = `handleId,fieldType,name,description,productImageUrl,collection,sku,ribbon,price,surcharge,visible,discountMode,discountValue,inventory,weight,cost,` +
	`productOptionName1,productOptionType1,productOptionDescription1,productOptionName2,productOptionType2,productOptionDescription2,additionalInfoTitle1,` +
	`additionalInfoDescription1,customTextField1,customTextCharLimit1,customTextMandatory1,brand
product_1,Product,Wine,"<p>Dry.</p>",abc~mv2.jpg;https://e.example/2.jpg,Red;Gifts,W-1,,11.9,,true,PERCENT,10.0,InStock,0.5,,,,,,,,Storage,` +
	`<p>Cool</p>,,,,Vineyard
product_2,Product,Rare wine,,,,,,99,,true,,,OutOfStock,,,,,,,,,,,,,,
product_3,Product,Ring,,,,,,100.0,,true,AMOUNT,20.0,InStock,,,Size,DROP_DOWN,S;M,Colour,COLOR,#fff:White;#000:Black,,,Engraving,30,true,
product_3,Variant,,,,,R-1,,,5.5,true,,,3,,,,,S,,,#000:Black,,,,,,
product_3,Variant,,,,,R-2,,,,false,,,OutOfStock,,,,,M,,,White,,,,,,
product_4,Product,Card,,,,,,4,,true,,,7,,,Paper,DROP_DOWN,Plain;Lined,,,,,,,,,
product_5,Product,Ring,,,,,,50,,false,,,12,,,,,,,,,,,,,,
`

// Wix's export: variants with surcharges, discounts, pictures by their files, and stock in words.
func TestWixsExport(t *testing.T) {
	r := converted(t, readCSV, wixSample)
	r.tells(t,
		"wine Wine sku=W-1 price=1071 active=true ships=true stock=0 tax=21 in red in gifts Brand:Vineyard compare_at_price=11.90 "+
			"https://static.wixstatic.com/media/abc~mv2.jpg https://e.example/2.jpg",
		"rare-wine Rare wine sku= price=9900 active=true ships=true tracked stock=0 tax=21",
		"ring Ring sku= price=8000 active=true ships=true tracked stock=0 tax=21 compare_at_price=100.00",
		"  S / Black sku=R-1 price=8550 active=true stock=3 Size:S Colour:Black compare_at_price=105.50",
		"  M / White sku=R-2 price=8000 active=false stock=0 Size:M Colour:White compare_at_price=100.00",
		"card Card sku= price=400 active=true ships=true stock=0 tax=21",
		"  Plain sku= price=- active=true stock=0 Paper:Plain",
		"  Lined sku= price=- active=true stock=0 Paper:Lined",
		"ring-product-5 Ring sku= price=5000 active=false ships=true tracked stock=12 tax=21",
	)
	expect(t, "description", r.product(t, "wine").Description, "Dry.\nStorage\nCool")
	expect(t, "texts", r.product(t, "ring").TextFields, []commerce.TextField{{Key: "text-1", Label: "Engraving", Required: true, MaxLength: 30}})
	r.expectNotes(t,
		"it is an export of Wix", `product "wine": the weight is left out: the export does not say in which unit it is`,
		`product "wine": the description is HTML`, `product "wine": the stock is not counted there`,
		`product "card": the variants share the quantity there: it is left out`,
	)
	again := over(t, readCSV, r.text, wixSample)
	same(t, "a second conversion", again.text, r.text)
}
