package blackbox_test

// adjustBody is the body of a stock adjustment; quantity is JSON text.
func adjustBody(product, quantity string, more ...string) string {
	return addBody(product, quantity, more...)
}

// withStock tracks hammers and cable, and gloves by their variants.
func withStock(document object) {
	for product, stock := range map[string]string{hammer: "10", cable: "2.5", gloves: "0"} {
		changed(product, "track_stock", true)(document)
		changed(product, "stock", stock)(document)
	}
	variants := findByID(document["products"].(list), gloves)["variants"].(list)
	findByID(variants, glovesS)["stock"] = "4"
}
