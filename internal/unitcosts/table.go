package unitcosts

// Table has the figures of the last `make unit-costs`, which wrote this file.
var Table = Costs{
	Measured: "Measured 2026-11-24 on 2 × AMD EPYC, load average 4.56 13.73 19.43 at the start, go1.26.8.",
	Requests: []Request{
		{Kind: "read", About: "cart read", Loads: []Load{
			{Name: "busy", Node: 83.3, Redis: 17.9, Memory: 0, File: 12},
			{Name: "alone", Node: 221.6, Redis: 100.8, Memory: 0, File: 155},
			{Name: "cold", Node: 122.2, Redis: 17.9, Memory: 0, File: 12},
			{Name: "roam", Node: 98.2, Redis: 23.5, Memory: 0, File: 21},
			{Name: "many", Node: 92.9, Redis: 48.3, Memory: 93, File: 152},
		}},
		{Kind: "product", About: "one product", Loads: []Load{
			{Name: "busy", Node: 64.0, Redis: 14.1, Memory: 0, File: 13},
			{Name: "alone", Node: 175.1, Redis: 87.4, Memory: 0, File: 155},
			{Name: "many", Node: 74.8, Redis: 41.0, Memory: 75, File: 150},
		}},
		{Kind: "product_list", About: "page of 25 products", Loads: []Load{
			{Name: "busy", Node: 125.8, Redis: 22.7, Memory: 0, File: 24},
			{Name: "alone", Node: 220.5, Redis: 90.8, Memory: 0, File: 155},
			{Name: "many", Node: 142.4, Redis: 50.5, Memory: 86, File: 151},
		}},
		{Kind: "create", About: "empty cart made", Loads: []Load{
			{Name: "busy", Node: 79.5, Redis: 26.5, Memory: 272, File: 232},
			{Name: "alone", Node: 229.8, Redis: 117.4, Memory: 272, File: 403},
			{Name: "many", Node: 101.9, Redis: 64.8, Memory: 358, File: 397},
		}},
		{Kind: "add", About: "add to a line", Loads: []Load{
			{Name: "busy", Node: 118.9, Redis: 35.5, Memory: 0, File: 471},
			{Name: "alone", Node: 333.6, Redis: 199.6, Memory: 0, File: 645},
			{Name: "cold", Node: 259.8, Redis: 53.3, Memory: 0, File: 475},
			{Name: "roam", Node: 171.5, Redis: 57.1, Memory: 0, File: 510},
			{Name: "many", Node: 140.9, Redis: 74.4, Memory: 78, File: 637},
		}},
		{Kind: "change", About: "line changed", Loads: []Load{
			{Name: "busy", Node: 114.6, Redis: 37.6, Memory: 0, File: 471},
			{Name: "alone", Node: 256.6, Redis: 133.0, Memory: 0, File: 645},
			{Name: "cold", Node: 230.0, Redis: 44.6, Memory: 3, File: 476},
			{Name: "roam", Node: 159.1, Redis: 60.8, Memory: 0, File: 511},
			{Name: "many", Node: 140.3, Redis: 84.8, Memory: 89, File: 639},
		}},
		{Kind: "change_once", About: "line changed, with an Idempotency-Key", Loads: []Load{
			{Name: "busy", Node: 114.2, Redis: 49.4, Memory: 224, File: 662},
			{Name: "alone", Node: 237.4, Redis: 151.4, Memory: 224, File: 836},
			{Name: "many", Node: 133.7, Redis: 90.7, Memory: 309, File: 829},
		}},
		{Kind: "add_tracked", About: "add to a line that holds stock", Loads: []Load{
			{Name: "busy", Node: 134.6, Redis: 100.8, Memory: 2, File: 1072},
			{Name: "alone", Node: 329.8, Redis: 238.6, Memory: 0, File: 1241},
		}},
		{Kind: "code", About: "code attached", Loads: []Load{
			{Name: "busy", Node: 178.1, Redis: 73.8, Memory: 0, File: 325},
			{Name: "alone", Node: 365.0, Redis: 204.3, Memory: 0, File: 490},
		}},
		{Kind: "checkout", About: "checkout of two lines", Loads: []Load{
			{Name: "busy", Node: 307.1, Redis: 117.3, Memory: 1031, File: 1256},
			{Name: "alone", Node: 637.8, Redis: 357.1, Memory: 1038, File: 1430},
			{Name: "many", Node: 340.7, Redis: 156.2, Memory: 1100, File: 1417},
		}},
		{Kind: "pay", About: "payment recorded", Loads: []Load{
			{Name: "busy", Node: 195.9, Redis: 54.5, Memory: 24, File: 598},
			{Name: "alone", Node: 615.6, Redis: 191.8, Memory: 48, File: 783},
		}},
		{Kind: "claim", About: "cart claimed, with another of 3 lines", Loads: []Load{
			{Name: "busy", Node: 215.2, Redis: 146.7, Memory: 288, File: 1579},
			{Name: "alone", Node: 965.2, Redis: 546.8, Memory: 288, File: 1568},
		}},
		{Kind: "address_list", About: "address book read", Loads: []Load{
			{Name: "busy", Node: 121.8, Redis: 43.2, Memory: 0, File: 11},
			{Name: "alone", Node: 338.1, Redis: 190.6, Memory: 0, File: 156},
		}},
		{Kind: "address_change", About: "address changed", Loads: []Load{
			{Name: "busy", Node: 141.1, Redis: 38.7, Memory: 1, File: 379},
			{Name: "alone", Node: 362.8, Redis: 199.0, Memory: 0, File: 552},
		}},
	},
	Items: []Item{
		{Name: "entry of a store's log of requests, for a minute", Redis: 85, Node: 0},
		{Name: "cart without lines", Redis: 296, Node: 0},
		{Name: "cart of 3 lines", Redis: 584, Node: 2400},
		{Name: "product of a store", Redis: 59, Node: 1500},
		{Name: "product of a store, its stock tracked", Redis: 174, Node: 1500},
	},
}
