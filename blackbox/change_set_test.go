package blackbox_test

import (
	"encoding/json"
)

const keyManage = "secret-key-manage-17"

// managed is the base store with a key that may change the catalogue.
func managed(document object) {
	document["api_keys"] = append(document["api_keys"].(list), apiKey("erp", keyManage, "catalog:manage"))
}

// hammerEntry is the hammer's entry of the base store with another price.
func hammerEntry(price int) string {
	product := findByID(base()["products"].(list), hammer)
	product["price_amount"] = price
	text, err := json.Marshal(product)
	if err != nil {
		panic(err) // maps of texts and numbers always have a JSON form
	}
	return string(text)
}

type answerWanted struct {
	status int
	body   string
}
