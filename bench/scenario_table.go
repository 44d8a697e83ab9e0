package bench

// threeLines is the size of the carts in the standard set.
const threeLines = 3

// Scenarios are the built-in scenarios.
var Scenarios = []Scenario{
	{Name: "create", About: "empty carts are made", Mix: []Share{{"create", 1}}},
	{Name: "read", About: "carts of 3 lines are read", Lines: threeLines, Mix: []Share{{"read", 1}}},
	{Name: "add", About: "adds that merge into a line of carts of 3", Lines: threeLines, Mix: []Share{{"add", 1}}},
	{Name: "change", About: "a line of a cart of 3 gets another quantity", Lines: threeLines, Mix: []Share{{"change", 1}}},
	{Name: "remove", About: "a fourth line is added and removed again", Lines: threeLines, Extra: 1, Mix: []Share{{"add", 1}, {"remove", 1}}},
	{Name: "claim", About: "a guest cart is made and claimed: the claim folds a cart of 3 lines", Lines: threeLines, Mix: []Share{{"claim", 1}}},
	{Name: "addresses", About: "address books of up to ten addresses, read and written", Mix: []Share{
		{"address_list", 70}, {"address_add", 12}, {"address_change", 12}, {"address_remove", 6},
	}},
	{Name: "product", About: "single products are shown", Mix: []Share{{"product", 1}}},
	{Name: "browse", About: "the catalogue is read: pages of 25 products, and single ones", Mix: []Share{{"product_list", 30}, {"product", 70}}},
	{Name: "mixed", About: "a storefront's day: mostly reads", Lines: threeLines, Extra: 5, Mix: []Share{
		{"read", 60}, {"add", 14}, {"change", 10}, {"remove", 5}, {"create", 5}, {"address_list", 4}, {"address_add", 1}, {"address_change", 1},
	}},
	{Name: "shopper", About: "a cart is made, the catalogue looked at, 3 lines and a code added, and the cart sold", Journey: []string{
		"create", "product_list", "product", "add", "add", "add", "code", "checkout",
	}},
	{Name: "sale", About: "carts of 2 lines are sold; 80 % of the orders are paid, 5 % cancelled, the others end as unpaid",
		Journey: []string{"create", "add", "add", "checkout"}, After: []Share{{"pay", 80}, {"cancel", 5}}},
	{Name: "crawl", About: "shoppers with addresses of their own go from the first page to the order, beside crawlers in a loop", Crawlers: 2,
		Journey: []string{
			"create", "product_list", "product", "product_list", "product", "add", "read", "product_list", "product", "product", "add", "read", "product",
			"add", "read", "change", "read", "product_list", "product", "product", "add", "read", "change", "read", "code", "read", "read", "checkout",
		}},
	{Name: "hot", About: "all change lines of one cart of 3", Lines: threeLines, Hot: true, Mix: []Share{{"change", 1}}},
	{Name: "hot-add", About: "all add to the lines of one cart of 3: the sums must be exact", Lines: threeLines, Hot: true, Mix: []Share{{"add", 1}}},
	{Name: "add-100", About: "adds that merge into a line of carts of 100", Lines: 100, Mix: []Share{{"add", 1}}},
	{Name: "made", About: "configurations of a made-to-measure product, added and changed", Lines: threeLines, Extra: 3, Made: true, Mix: []Share{
		{"configure", 6}, {"change", 2}, {"remove", 2},
	}},
	{Name: "once", About: "changes with idempotency keys, a tenth of them sent twice", Lines: threeLines, Once: true, Repeats: 10, Mix: []Share{{"change", 1}}},
	{Name: "once-add", About: "adds with idempotency keys, a tenth of them sent twice: none may count double", Lines: threeLines, Once: true, Repeats: 10,
		Mix: []Share{{"add", 1}}},
}
