package blackbox_test

// baseProducts is the catalogue of every test store.
func baseProducts() list {
	return list{
		product(hammer, "Hammer", "hammer", object{"sku": "H-1", "price_amount": 1999}),
		product(nails, "Nails", "nails", object{"price_amount": 500, "tiers": list{tier("10", 450), tier("50", 400)}}),
		product(drill, "Drill", "drill", object{
			"sku": "D-1", "price_amount": 10000, "group_prices": object{groupTrade: 8000},
			"tiers": list{tier("5", 9500), object{"min_quantity": "5", "price_amount": 7500, "group_id": groupTrade}},
		}),
		product(gloves, "Gloves", "gloves", object{"sku": "G", "price_amount": 1000, "variants": list{
			object{"id": glovesS, "name": "S", "sku": "G-S", "price_amount": 1200},
			object{"id": glovesM, "name": "M"},
			object{"id": glovesL, "name": "L", "sku": "G-L", "active": false},
			object{"id": glovesXL, "name": "XL", "tiers": list{tier("10", 700)}},
		}}),
		product(boots, "Boots", "boots", object{"price_amount": 5000, "variants": list{
			object{"id": bootsOne, "name": "41", "active": false},
		}}),
		product(cable, "Cable", "cable", object{"unit": "m", "price_amount": 333}),
		product(crane, "Crane", "crane", object{"price_amount": 100000, "purchasability": "quote", "requires_shipping": false}),
		product(blind, "Blind", "blind", object{"capability": "made_to_measure", "configurator": blindConfigurator()}),
		product(mystery, "Mystery", "mystery", nil),
		product(relic, "Relic", "relic", object{"price_amount": 100, "active": false, "track_stock": true, "stock": "5"}),
		product(bulk, "Bulk", "bulk", object{"tiers": list{tier("10", 100)}}),
		product(sample, "Sample", "sample", object{"price_amount": 0, "tax": "zero"}),
		product(paper, "Paper", "paper", object{"price_amount": 1090, "tax": "reduced"}),
		product(booklet, "Booklet", "booklet", object{"price_amount": 1055, "tax": "books", "requires_shipping": false}),
		product(gold, "Gold", "gold", object{"price_amount": 1_000_000_000_000}),
	}
}

// product is a product with the standard tax rate, unless more has another.
func product(id, name, slug string, more object) object {
	p := object{"id": id, "name": name, "slug": slug, "tax": "standard"}
	for key, value := range more {
		p[key] = value
	}
	return p
}

func tier(from string, amount int) object {
	return object{"min_quantity": from, "price_amount": amount}
}

// blindConfigurator allows widths that its only matrix has no price for.
func blindConfigurator() object {
	return object{
		"dimensions": list{
			object{"key": "width", "label": "Width", "min": 300, "max": 3000},
			object{"key": "height", "label": "Height", "min": 300, "max": 2000},
		},
		"groups": list{object{"id": "fabric", "label": "Fabric", "choices": list{
			object{"id": "linen", "label": "Linen", "price": object{"type": "fixed", "amount": 1500}},
		}}},
		"matrices": list{object{
			"id": "std", "name": "Standard", "x": "width", "y": "height",
			"x_breaks": list{1000, 2000}, "y_breaks": list{2000},
			"amounts": list{list{4900, 6900}},
		}},
	}
}
