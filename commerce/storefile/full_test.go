package storefile

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
)

// The tests of this file check every field of the full document, noun by noun.

func TestFullSettings(t *testing.T) {
	s := mustParse(t, full(t)).Store
	if len(s.Modules.Names()) != 7 || s.PricesIncludeTax || s.RateLimit != 600 || s.StockHold != 30*time.Minute || s.PaymentTime != 24*time.Hour || s.Suspended {
		t.Errorf("settings: %+v", s)
	}
	expect(t, "limits", s.Limits, commerce.Limits{PerClient: 90, ReservedForCarts: 200})
	expect(t, "policy", s.Policy, commerce.Policy{
		IdentityMode: "login_required", Audience: "b2b_only", MinOrderValue: pointer(commerce.Amount(2500)), MaxLines: 50,
		MaxQuantityPerLine: 20 * commerce.One, MaxDiscountCodes: 4,
		Pricing: commerce.PricingDisplay{GuestPriceVisibility: "hidden", VATDisplay: "ex"},
	})
	expect(t, "quotes", s.Quotes, commerce.QuoteSettings{
		Enabled: true, CartThreshold: pointer(commerce.Amount(500000)), GroupIDs: []uuid.UUID{trade},
		AcceptanceMode: "signature", ValidDays: 14,
	})
	if w := s.Webhooks[0]; w.URL != "https://example.org/hook" || len(w.Secrets[0]) != 24 || w.Events[0] != "stock.adjusted" {
		t.Errorf("webhook: %+v", w)
	}
	expect(t, "groups", s.Groups, []commerce.CustomerGroup{{ID: trade, Name: "Trade"}, {ID: staff, Name: "Staff"}})
	expect(t, "tax rates", s.TaxRates, []commerce.TaxRate{{Code: "standard", Rate: 21 * percent}, {
		Code: "reduced", Rate: 5_500_000_001, Countries: map[commerce.Country]commerce.Percent{{'D', 'E'}: 7 * percent, {'F', 'R'}: 5_500_000_000},
	}})
	expect(t, "country", s.Country, commerce.Country{'N', 'L'})
	expect(t, "export countries", s.ExportCountries, []commerce.Country{{'C', 'H'}, {'N', 'O'}})
	expect(t, "reverse charge countries", s.ReverseChargeCountries, []commerce.Country{{'B', 'E'}})
	expect(t, "shipping", s.ShippingMethods, []commerce.ShippingMethod{{
		ID: id("70000000-0000-4000-8000-000000000001"), Name: "Parcel", Description: "At your door", Price: 695,
		Tax: &commerce.TaxRate{Code: "standard", Rate: 21 * percent}, TaxOfGoods: true,
		Countries: []commerce.Country{{'N', 'L'}, {'B', 'E'}}, MinGoods: pointer(commerce.Amount(100)), MaxGoods: pointer(commerce.Amount(90000)),
		MaxWeight: pointer(commerce.Milligrams(20_000_500)), Tiers: []commerce.ShippingTier{{MinGoods: 0, Price: 595}, {MinGoods: 5000, Price: 0}},
		MinDays: pointer(1), MaxDays: pointer(3), Metadata: commerce.Metadata{{Key: "carrier", Value: commerce.Scalar{IsString: true, Text: "post"}}},
	}})
	expect(t, "redirects", s.Redirects, []commerce.Redirect{{From: "/old", To: "/new", Status: 308}})
}

func TestFullKeys(t *testing.T) {
	keys := mustParse(t, full(t)).Keys
	expect(t, "key", keys[0], commerce.APIKey{
		Name: "storefront", Hash: commerce.HashSecret([]byte("demo-storefront-key")),
		Scopes: commerce.Scopes(0).With(commerce.CommerceRead).With(commerce.CommerceWrite),
	})
	expect(t, "hashed key", keys[1], commerce.APIKey{Name: "office", Hash: commerce.HashSecret([]byte("test")), Revoked: true, NoClientLimit: true})
}

func TestFullCustomers(t *testing.T) {
	customers := mustParse(t, full(t)).Customers
	expect(t, "customer", customers[0], commerce.Customer{
		ID: id("30000000-0000-4000-8000-000000000001"), Email: "ada@example.com", FirstName: "Ada", LastName: "Lovelace", B2B: true,
		CompanyName: "Engines", RegistrationNumber: "1234", VATID: "NL1", ReverseCharge: true, ExternalID: "x-1", GroupID: trade, Password: "secret",
		Tokens: []commerce.CustomerToken{{
			Hash: commerce.HashSecret([]byte("demo-token-ada")), ExpiresAt: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC),
		}},
		Addresses: []commerce.Address{
			{
				ID: id("31000000-0000-4000-8000-000000000001"), Type: "billing", Label: "Office", IsDefault: true, Name: "Ada",
				Street: "Main 1", PostalCode: "1234 AB", City: "Utrecht", Country: "NL", Phone: "+31",
				Company: "Engines", Region: "Utrecht",
			},
			{Type: "shipping", Name: "Ada", Street: "Side 2", PostalCode: "1", City: "Delft", Country: "NL"},
		},
	})
	if bob := customers[1]; bob.PasswordHash != "$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$aGFzaA" || bob.Tokens[0].Hash[31] != 1 {
		t.Errorf("customer: %+v", bob)
	}
}

func TestFullCatalogue(t *testing.T) {
	s := mustParse(t, full(t)).Store
	expect(t, "parent", s.Categories[0].ParentID, s.Categories[1].ID)
	expect(t, "product", s.Products[0], &commerce.Product{
		ID: roller, Name: "Roller blind", Slug: "roller-blind", SKU: "RB-1", Description: "Fine",
		CategoryIDs: []uuid.UUID{s.Categories[0].ID}, Unit: commerce.UnitSquareMetre, TrackStock: true,
		Purchasability: commerce.ByQuote, LeadTimeDays: pointer(3), Weight: pointer(commerce.Milligrams(1_200_500)),
		Tax: &commerce.TaxRate{Code: "standard", Rate: 21 * percent},
		Display: commerce.Display{
			Media:      []commerce.Media{{URL: "https://cdn.example.org/roller.jpg", Alt: "A roller blind"}, {URL: "/roller-2.jpg"}},
			Attributes: []commerce.Attribute{{Name: "Room", Values: []string{"Kitchen", "Bath"}, List: true}, {Name: "Material", Values: []string{"Linen"}}},
			Metadata: commerce.Metadata{
				{Key: "style", Value: commerce.Scalar{IsString: true, Text: "plain"}}, {Key: "new", Value: commerce.Scalar{Text: "true"}},
				{Key: "badge", Value: commerce.Scalar{Text: "null"}},
			},
		},
		TextFields: []commerce.TextField{
			{Key: "engraving", Label: "Engraving", Required: true, MaxLength: 20}, {Key: "Gift-note_2", Label: "Gift note", MaxLength: 200},
		},
		Pack:      &commerce.Pack{Min: 1500, Max: 4500, Step: 500},
		Backorder: &commerce.Backorder{Limit: 10_500_000, From: commerce.DateOf(time.Date(2027, 5, 12, 0, 0, 0, 0, time.UTC))},
		Prices: commerce.Prices{
			Base:  pointer(commerce.Amount(1999)),
			Group: []commerce.GroupPrice{{GroupID: trade, Price: 1799}, {GroupID: staff, Price: 1700}},
			Tiers: []commerce.Tier{{MinQuantity: 2500, Price: 1499, GroupID: trade}},
		},
		Variants: []commerce.Variant{{
			ID: id("51000000-0000-4000-8000-000000000001"), Name: "White", SKU: "RB-1-W", Stock: -5_000_000, Weight: pointer(commerce.Milligrams(0)),
			Backorder: &commerce.Backorder{},
			Prices:    commerce.Prices{Base: pointer(commerce.Amount(2099)), Tiers: []commerce.Tier{{MinQuantity: 10 * commerce.One, Price: 1899}}},
			Display: commerce.Display{
				Media:      []commerce.Media{{URL: "/white.jpg", Alt: "White"}},
				Attributes: []commerce.Attribute{{Name: "Size", Values: []string{"L"}}, {Name: "Colour", Values: []string{"White"}}},
				Metadata:   commerce.Metadata{{Key: "hex", Value: commerce.Scalar{IsString: true, Text: "#fff"}}},
			},
		}},
	})
	expect(t, "category", s.Categories[0], commerce.Category{
		ID: id("40000000-0000-4000-8000-000000000001"), Name: "Roller", Slug: "roller", ParentID: s.Categories[1].ID, Description: "Up and down",
		Media: []commerce.Media{{URL: "/media/roller.svg"}}, Metadata: commerce.Metadata{{Key: "icon", Value: commerce.Scalar{IsString: true, Text: "roller"}}},
	})
	expect(t, "price from", s.Products[1].PriceFrom, pointer(commerce.Amount(4900)))
	expect(t, "stock", s.Products[2].Stock, commerce.Micros(25_500_000))
	expect(t, "a price of 0", s.Products[2].Prices, commerce.Prices{Base: pointer(commerce.Amount(0))})
}

func TestFullConfigurator(t *testing.T) {
	got := *mustParse(t, full(t)).Store.Products[1].Configurator
	got.Engine = nil // package configurator tests it
	expect(t, "configurator", got, commerce.Configurator{
		Dimensions: []commerce.Dimension{
			{Key: "width", Label: "Width", Unit: "mm", Min: 300, Max: 3000, Step: 10},
			{Key: "height", Label: "Height", Unit: "mm", Min: 400, Max: 2000, Step: 1},
		},
		Groups: []commerce.ChoiceGroup{{ID: "fabric", Label: "Fabric", Required: true, Multiple: true, Choices: []commerce.Choice{
			{
				ID: "linen", Label: "Linen", Price: commerce.ChoicePrice{Amount: 1500}, Requires: []string{"wall-mount"},
				Components: []commerce.Component{{ProductID: rail, Quantity: 125_000, Per: "m2"}}, TriggersQuote: true,
			},
			{ID: "silk", Label: "Silk", Price: commerce.ChoicePrice{Kind: commerce.PricePercent, Percent: 10 * percent}},
			{ID: "paper", Label: "Paper", Price: commerce.ChoicePrice{Kind: commerce.PricePerM2, Amount: 900}},
		}}},
		Matrices: []commerce.Matrix{{
			ID: "std", Name: "Standard", When: []string{"paper"}, X: "width", Y: "height",
			XBreaks: []int64{600, 1200, 3000}, YBreaks: []int64{1000, 2000},
			Amounts: [][]commerce.Amount{{4900, 6900, 9900}, {6900, 8900, 12900}},
		}},
		Components: []commerce.Component{{ProductID: rail, Quantity: 1_000_000, Per: "width"}},
	})
}

func TestFullDiscounts(t *testing.T) {
	discounts := mustParse(t, full(t)).Store.Discounts
	expect(t, "order", discounts[0], commerce.Discount{
		ID: id("60000000-0000-4000-8000-000000000001"), Name: "Welcome", Code: "WELCOME10",
		StartsAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), EndsAt: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
		MinOrder: pointer(commerce.Amount(1000)), GroupIDs: []uuid.UUID{staff}, UsageLimit: pointer(int64(5)), Used: 2, CustomerLimit: pointer(int64(3)),
		Value: commerce.DiscountValue{Percent: 10 * percent},
		Buy:   discounts[0].Buy, Get: discounts[0].Get, // ignored for this kind
	})
	expect(t, "products' value", discounts[1].Value, commerce.DiscountValue{Fixed: true, Amount: 500})
	expect(t, "products", discounts[1].ProductRange, commerce.ProductRange{
		ProductIDs: []uuid.UUID{rail}, CategoryIDs: []uuid.UUID{id("40000000-0000-4000-8000-000000000002")},
		ExcludedIDs: []uuid.UUID{id("50000000-0000-4000-8000-000000000002")},
	})
	expect(t, "exclusive", discounts[1].Exclusive, true)
	expect(t, "batches", discounts[1].CodeBatches, []commerce.CodeBatch{
		{Prefix: "RAILS", Secret: []byte("Batch 0 of the rails. No."), Active: true, Uses: 3},
		{Number: 65_535, Prefix: "R-2", Secret: []byte("Batch 1 of the rails. No."), Uses: 1},
	})
	expect(t, "shipping", discounts[2].Kind, commerce.DiscountShipping)
	expect(t, "buy", discounts[3].Buy, commerce.BogoBuy{ProductRange: commerce.ProductRange{ProductIDs: []uuid.UUID{rail}}, MinQuantity: 2 * commerce.One})
	expect(t, "get", discounts[3].Get, commerce.BogoGet{
		ProductRange: commerce.ProductRange{ProductIDs: []uuid.UUID{roller}}, Quantity: 3 * commerce.One, Percent: 50 * percent,
	})
}

// A name is read as the constant of that name, so lists of names must have the constants' order.
func TestNamesAreInTheOrderOfTheConstants(t *testing.T) {
	for i, name := range capabilities.names {
		expect(t, "capability", commerce.Capability(i).String(), name)
	}
	for i, name := range purchasabilities {
		expect(t, "purchasability", commerce.Purchasability(i).String(), name)
	}
	expect(t, "choice prices", choicePrices.names[commerce.PricePercent]+" "+choicePrices.names[commerce.PricePerM2], "percent per_m2")
}
