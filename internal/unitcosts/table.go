package unitcosts

// Table has the figures of the last `make unit-costs`, which wrote this file.
var Table = Costs{
	Measured: "Measured 2026-11-26 on 2 × AMD EPYC, load average 0.08 0.21 1.04 at the start, go1.26.8.",
	Requests: []Request{
		{Kind: "read", About: "cart read", Loads: []Load{
			{Name: "busy", Node: 74.1, Redis: 14.0, Memory: 0, File: 13},
			{Name: "alone", Node: 195.3, Redis: 98.3, Memory: 0, File: 156},
			{Name: "cold", Node: 89.6, Redis: 15.1, Memory: 0, File: 14},
			{Name: "roam", Node: 94.1, Redis: 19.8, Memory: 0, File: 25},
			{Name: "many", Node: 102.7, Redis: 46.9, Memory: 85, File: 153},
		}},
		{Kind: "product", About: "one product", Loads: []Load{
			{Name: "busy", Node: 66.1, Redis: 13.3, Memory: 0, File: 14},
			{Name: "alone", Node: 162.3, Redis: 86.9, Memory: 0, File: 158},
			{Name: "many", Node: 92.1, Redis: 44.0, Memory: 83, File: 151},
		}},
		{Kind: "product_list", About: "page of 25 products", Loads: []Load{
			{Name: "busy", Node: 142.8, Redis: 23.3, Memory: 0, File: 22},
			{Name: "alone", Node: 239.7, Redis: 107.3, Memory: 0, File: 160},
			{Name: "many", Node: 172.0, Redis: 49.9, Memory: 81, File: 151},
		}},
		{Kind: "create", About: "empty cart made", Loads: []Load{
			{Name: "busy", Node: 89.8, Redis: 29.1, Memory: 271, File: 232},
			{Name: "alone", Node: 221.5, Redis: 125.0, Memory: 272, File: 404},
			{Name: "roam", Node: 139.4, Redis: 37.7, Memory: 272, File: 245},
			{Name: "many", Node: 120.3, Redis: 63.9, Memory: 354, File: 397},
		}},
		{Kind: "add", About: "add to a line", Loads: []Load{
			{Name: "busy", Node: 134.1, Redis: 36.2, Memory: 0, File: 471},
			{Name: "alone", Node: 220.8, Redis: 119.0, Memory: 0, File: 640},
			{Name: "cold", Node: 163.7, Redis: 41.5, Memory: 6, File: 476},
			{Name: "roam", Node: 159.2, Redis: 48.9, Memory: 0, File: 510},
			{Name: "many", Node: 155.7, Redis: 76.9, Memory: 70, File: 636},
		}},
		{Kind: "change", About: "line changed", Loads: []Load{
			{Name: "busy", Node: 97.2, Redis: 30.5, Memory: 0, File: 471},
			{Name: "alone", Node: 214.6, Redis: 109.8, Memory: 0, File: 641},
			{Name: "cold", Node: 177.7, Redis: 42.4, Memory: 3, File: 477},
			{Name: "roam", Node: 176.1, Redis: 53.8, Memory: 0, File: 511},
			{Name: "many", Node: 166.5, Redis: 75.7, Memory: 84, File: 638},
		}},
		{Kind: "change_once", About: "line changed, with an Idempotency-Key", Loads: []Load{
			{Name: "busy", Node: 118.9, Redis: 47.0, Memory: 224, File: 662},
			{Name: "alone", Node: 241.4, Redis: 127.2, Memory: 224, File: 833},
			{Name: "roam", Node: 188.4, Redis: 66.0, Memory: 224, File: 702},
			{Name: "many", Node: 136.7, Redis: 81.9, Memory: 308, File: 830},
		}},
		{Kind: "add_tracked", About: "add to a line that holds stock", Loads: []Load{
			{Name: "busy", Node: 131.9, Redis: 92.8, Memory: 0, File: 1070},
			{Name: "alone", Node: 280.3, Redis: 194.9, Memory: 0, File: 1239},
		}},
		{Kind: "code", About: "code attached", Loads: []Load{
			{Name: "busy", Node: 167.2, Redis: 60.7, Memory: 1, File: 326},
			{Name: "alone", Node: 266.9, Redis: 183.1, Memory: 1, File: 490},
			{Name: "roam", Node: 262.8, Redis: 94.9, Memory: 32, File: 377},
			{Name: "many", Node: 205.8, Redis: 92.3, Memory: 0, File: 491},
		}},
		{Kind: "checkout", About: "checkout of two lines", Loads: []Load{
			{Name: "busy", Node: 246.7, Redis: 103.1, Memory: 1032, File: 1260},
			{Name: "alone", Node: 432.0, Redis: 197.8, Memory: 1040, File: 1432},
			{Name: "roam", Node: 371.5, Redis: 151.0, Memory: 647, File: 1305},
			{Name: "many", Node: 329.2, Redis: 167.9, Memory: 922, File: 1420},
		}},
		{Kind: "pay", About: "payment recorded", Loads: []Load{
			{Name: "busy", Node: 177.5, Redis: 46.7, Memory: 46, File: 613},
			{Name: "alone", Node: 460.3, Redis: 179.0, Memory: 44, File: 778},
		}},
		{Kind: "claim", About: "cart claimed, with another of 3 lines", Loads: []Load{
			{Name: "busy", Node: 263.5, Redis: 169.8, Memory: 436, File: 1840},
			{Name: "alone", Node: 359.8, Redis: 244.5, Memory: 287, File: 1576},
			{Name: "roam", Node: 292.0, Redis: 155.8, Memory: 299, File: 1785},
			{Name: "many", Node: 227.7, Redis: 162.1, Memory: 371, File: 1573},
		}},
		{Kind: "address_list", About: "address book read", Loads: []Load{
			{Name: "busy", Node: 64.2, Redis: 27.7, Memory: 0, File: 12},
			{Name: "alone", Node: 186.4, Redis: 111.6, Memory: 0, File: 159},
			{Name: "roam", Node: 96.2, Redis: 35.8, Memory: 0, File: 22},
			{Name: "many", Node: 100.1, Redis: 67.3, Memory: 26, File: 154},
		}},
		{Kind: "address_change", About: "address changed", Loads: []Load{
			{Name: "busy", Node: 128.1, Redis: 41.1, Memory: 0, File: 400},
			{Name: "alone", Node: 239.7, Redis: 130.1, Memory: 0, File: 571},
			{Name: "roam", Node: 170.5, Redis: 56.6, Memory: 0, File: 418},
		}},
	},
	Items: []Item{
		{Name: "entry of a store's log of requests, for a minute", Redis: 85, Node: 0},
		{Name: "cart without lines", Redis: 296, Node: 0},
		{Name: "cart of 3 lines", Redis: 589, Node: 2400},
		{Name: "product of a store", Redis: 59, Node: 1500},
		{Name: "product of a store, its stock tracked", Redis: 174, Node: 1500},
	},
}
