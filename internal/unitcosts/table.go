package unitcosts

// Table has the figures of the last `make unit-costs`, which wrote this file.
var Table = Costs{
	Measured: "Measured 2026-11-26 on 2 × AMD EPYC, load average 0.70 0.55 1.84 at the start, go1.26.8.",
	Later:    "Stored items, checkout_tracked: measured 2026-11-27 on 2 × Intel(R) Xeon(R) Processor, load average 11.84 10.82 9.41 at the start, go1.26.8.",
	Requests: []Request{
		{Kind: "read", About: "cart read", Loads: []Load{
			{Name: "busy", Node: 57.6, Redis: 12.0, Memory: 0, File: 14},
			{Name: "alone", Node: 186.1, Redis: 91.4, Memory: 0, File: 155},
			{Name: "cold", Node: 81.2, Redis: 12.1, Memory: 0, File: 14},
			{Name: "roam", Node: 82.8, Redis: 17.0, Memory: 0, File: 24},
			{Name: "many", Node: 89.2, Redis: 46.7, Memory: 83, File: 153},
		}},
		{Kind: "product", About: "one product", Loads: []Load{
			{Name: "busy", Node: 47.3, Redis: 8.4, Memory: 0, File: 14},
			{Name: "alone", Node: 162.9, Redis: 88.7, Memory: 0, File: 156},
			{Name: "many", Node: 81.6, Redis: 41.3, Memory: 82, File: 151},
		}},
		{Kind: "product_list", About: "page of 25 products", Loads: []Load{
			{Name: "busy", Node: 124.1, Redis: 23.3, Memory: 0, File: 27},
			{Name: "alone", Node: 236.6, Redis: 107.0, Memory: 0, File: 160},
			{Name: "many", Node: 148.4, Redis: 50.1, Memory: 80, File: 151},
		}},
		{Kind: "create", About: "empty cart made", Loads: []Load{
			{Name: "busy", Node: 83.9, Redis: 25.3, Memory: 272, File: 232},
			{Name: "alone", Node: 206.7, Redis: 118.6, Memory: 272, File: 405},
			{Name: "roam", Node: 117.4, Redis: 35.1, Memory: 272, File: 246},
			{Name: "many", Node: 103.7, Redis: 48.8, Memory: 354, File: 397},
		}},
		{Kind: "add", About: "add to a line", Loads: []Load{
			{Name: "busy", Node: 95.8, Redis: 30.2, Memory: 0, File: 470},
			{Name: "alone", Node: 233.5, Redis: 117.9, Memory: 0, File: 640},
			{Name: "cold", Node: 138.7, Redis: 31.1, Memory: 2, File: 476},
			{Name: "roam", Node: 128.5, Redis: 38.9, Memory: 0, File: 511},
			{Name: "many", Node: 117.9, Redis: 68.2, Memory: 74, File: 637},
		}},
		{Kind: "change", About: "line changed", Loads: []Load{
			{Name: "busy", Node: 98.0, Redis: 26.1, Memory: 0, File: 472},
			{Name: "alone", Node: 217.6, Redis: 114.4, Memory: 0, File: 641},
			{Name: "cold", Node: 154.9, Redis: 34.7, Memory: 3, File: 478},
			{Name: "roam", Node: 164.8, Redis: 48.9, Memory: 0, File: 511},
			{Name: "many", Node: 133.1, Redis: 66.4, Memory: 85, File: 638},
		}},
		{Kind: "change_once", About: "line changed, with an Idempotency-Key", Loads: []Load{
			{Name: "busy", Node: 122.9, Redis: 43.9, Memory: 223, File: 663},
			{Name: "alone", Node: 240.4, Redis: 130.3, Memory: 224, File: 833},
			{Name: "roam", Node: 183.4, Redis: 66.7, Memory: 224, File: 703},
			{Name: "many", Node: 151.1, Redis: 87.4, Memory: 308, File: 830},
		}},
		{Kind: "add_tracked", About: "add to a line that holds stock", Loads: []Load{
			{Name: "busy", Node: 127.1, Redis: 97.8, Memory: 0, File: 1070},
			{Name: "alone", Node: 274.8, Redis: 187.1, Memory: 0, File: 1239},
			{Name: "many", Node: 171.2, Redis: 126.4, Memory: 90, File: 1237},
		}},
		{Kind: "code", About: "code attached", Loads: []Load{
			{Name: "busy", Node: 99.8, Redis: 45.1, Memory: 0, File: 328},
			{Name: "alone", Node: 274.9, Redis: 171.2, Memory: 0, File: 490},
			{Name: "roam", Node: 258.6, Redis: 85.8, Memory: 31, File: 379},
			{Name: "many", Node: 161.8, Redis: 98.0, Memory: 21, File: 489},
		}},
		{Kind: "checkout", About: "checkout of two lines", Loads: []Load{
			{Name: "busy", Node: 229.9, Redis: 92.4, Memory: 1033, File: 1260},
			{Name: "alone", Node: 387.2, Redis: 179.4, Memory: 1039, File: 1434},
			{Name: "roam", Node: 360.9, Redis: 125.6, Memory: 645, File: 1303},
			{Name: "many", Node: 271.0, Redis: 143.8, Memory: 888, File: 1422},
		}},
		{Kind: "checkout_tracked", About: "checkout of two lines that hold stock", Loads: []Load{
			{Name: "busy", Node: 162.8, Redis: 114.8, Memory: 705, File: 2222},
			{Name: "alone", Node: 379.1, Redis: 207.8, Memory: 612, File: 2399},
			{Name: "many", Node: 264.9, Redis: 185.4, Memory: 533, File: 2374},
		}},
		{Kind: "pay", About: "payment recorded", Loads: []Load{
			{Name: "busy", Node: 168.3, Redis: 43.4, Memory: 48, File: 615},
			{Name: "alone", Node: 460.1, Redis: 160.6, Memory: 41, File: 779},
			{Name: "many", Node: 273.3, Redis: 88.2, Memory: 0, File: 777},
		}},
		{Kind: "claim", About: "cart claimed, with another of 3 lines", Loads: []Load{
			{Name: "busy", Node: 219.4, Redis: 150.0, Memory: 375, File: 1749},
			{Name: "alone", Node: 376.5, Redis: 211.6, Memory: 543, File: 2042},
			{Name: "roam", Node: 293.8, Redis: 137.7, Memory: 364, File: 1778},
			{Name: "many", Node: 208.9, Redis: 197.1, Memory: 370, File: 1573},
		}},
		{Kind: "address_list", About: "address book read", Loads: []Load{
			{Name: "busy", Node: 62.9, Redis: 26.1, Memory: 0, File: 12},
			{Name: "alone", Node: 179.4, Redis: 108.9, Memory: 0, File: 157},
			{Name: "roam", Node: 83.4, Redis: 31.4, Memory: 0, File: 23},
			{Name: "many", Node: 73.8, Redis: 53.5, Memory: 81, File: 153},
		}},
		{Kind: "address_change", About: "address changed", Loads: []Load{
			{Name: "busy", Node: 87.5, Redis: 28.8, Memory: 0, File: 401},
			{Name: "alone", Node: 216.6, Redis: 102.9, Memory: 0, File: 571},
			{Name: "roam", Node: 160.5, Redis: 55.2, Memory: 0, File: 418},
			{Name: "many", Node: 116.3, Redis: 71.1, Memory: 73, File: 547},
		}},
	},
	Items: []Item{
		{Name: "entry of a store's log of requests, for a minute", Redis: 85, Node: 0},
		{Name: "cart without lines", Redis: 314, Node: 0},
		{Name: "cart of 3 lines", Redis: 602, Node: 2400},
		{Name: "cart of 3 lines that hold stock", Redis: 1155, Node: 2400},
		{Name: "product of a store", Redis: 72, Node: 1500},
		{Name: "product of a store, its stock tracked", Redis: 316, Node: 1500},
	},
}
