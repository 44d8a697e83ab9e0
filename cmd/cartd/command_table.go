package main

// commands returns all subcommands, in the order of the help.
func commands() []command {
	return []command{
		{
			name: "serve", summary: "serve the HTTP API", logs: true, define: defineServe,
			usage: "cartd serve --redis URL [--store FILE]…",
			examples: []example{
				{"try it out; nothing is stored", "cartd serve --redis embedded --demo"},
				{"serve, and load a store at the first start", "cartd serve --redis redis://127.0.0.1:6379/0 --store shop.json"},
				{"serve for a proxy, with Redis's password in a file", "cartd serve --listen :8080 --redis-file /etc/cartd/redis-url --trusted-proxies 10.0.0.0/8"},
			},
		},
		{
			name: "check", summary: "validate store documents, or what is in Redis ahead of an upgrade", define: defineCheck,
			usage: checkUsage,
			examples: []example{
				{"list all faults", "cartd check shop.json"},
				{"check several stores that share a Redis", "cartd check stores/*.json"},
				{"ask also what an import would refuse by what is stored", "cartd check --redis redis://127.0.0.1:6379/0 shop.json"},
				{"ask ahead of an upgrade whether this release reads what is in Redis", "cartd check --redis redis://127.0.0.1:6379/0"},
				{"print the faults for a program", "cartd check --json shop.json | jq '.[].faults'"},
			},
		},
		{
			name: "import", summary: "load store documents into Redis, while nodes run", define: defineImport,
			usage: importUsage,
			examples: []example{
				{"load a store or replace it", "cartd import --redis redis://127.0.0.1:6379/0 shop.json"},
				{"load a store from a pipe", "zcat shop.json.gz | cartd import --redis redis://127.0.0.1:6379/0 -"},
				{"take all products out of a store", "cartd import --redis redis://127.0.0.1:6379/0 --allow-empty shop.json"},
				{"change some products of a store", "cartd import --redis redis://127.0.0.1:6379/0 --merge changes.json"},
			},
		},
		{
			name: "convert", summary: "make a store document of product tables: csv, or Shopify's export", define: defineConvert,
			usage: convertUsage,
			examples: []example{
				{"print a table with all columns", "cartd convert csv --template"},
				{"convert a table", "cartd convert csv products.csv --out store.json --name 'My shop' --tax 21"},
				{"convert Shopify's product export in two files", "cartd convert shopify products_export_1.csv products_export_2.csv --out store.json"},
				{"convert today's table, and keep all else of an earlier document", "cartd convert csv products.csv --base earlier.json --out store.json"},
			},
		},
		{
			name: "export", summary: "write a store as a document", operator: exportCommand(),
			examples: []example{
				{"write to a file", "cartd export --redis redis://127.0.0.1:6379/0 --store ID --out shop.json"},
				{"print the names of its products only", "cartd export --redis redis://127.0.0.1:6379/0 --store ID | jq -r '.products[].name'"},
			},
		},
		{
			name: "orders", summary: "write a store's orders as JSON lines, or leave numbers out", operator: ordersCommand(),
			examples: []example{
				{"write all orders", "cartd orders --redis redis://127.0.0.1:6379/0 --store ID > orders.jsonl"},
				{"write the orders after number 1200", "cartd orders --redis redis://127.0.0.1:6379/0 --store ID --since 1200"},
				{"write the cancelled orders", "cartd orders --redis redis://127.0.0.1:6379/0 --store ID --status cancelled"},
				{"after a restore, begin with a number that was never given", "cartd orders --redis redis://127.0.0.1:6379/0 --store ID --next 1300"},
				{"move old orders out of Redis's memory into a file",
					"cartd orders --redis redis://127.0.0.1:6379/0 --store ID --archive-before 2025-01-01 --out orders-2024.jsonl"},
			},
		},
		{
			name: "quotes", summary: "write the number of a store's next quote, or leave numbers out", operator: quotesCommand(),
			examples: []example{
				{"write which number the next quote gets", "cartd quotes --redis redis://127.0.0.1:6379/0 --store ID"},
				{"after a restore, begin with a number that was never given", "cartd quotes --redis redis://127.0.0.1:6379/0 --store ID --next 300"},
			},
		},
		{
			name: "codes", summary: "print codes of a discount's batch", operator: codesCommand(),
			examples: []example{
				{"print a hundred codes that were never given", "cartd codes --redis redis://127.0.0.1:6379/0 --store ID --discount ID --batch 1 --count 100"},
				{"print the first ten codes of the batch again",
					"cartd codes --redis redis://127.0.0.1:6379/0 --store ID --discount ID --batch 1 --count 10 --from 0"},
			},
		},
		{
			name: "key", summary: "make, list and revoke API keys", operator: keyCommand(),
			examples: []example{
				{"make a key; it is shown once", "cartd key --redis redis://127.0.0.1:6379/0 --store ID --name app --scopes commerce:read,commerce:write"},
				{"make the key of a person at the desk", "cartd key --redis redis://127.0.0.1:6379/0 --store ID --desk 'Eva, sales'"},
				{"list the keys", "cartd key --redis redis://127.0.0.1:6379/0 --store ID --list"},
				{"revoke a key for good", "cartd key --redis redis://127.0.0.1:6379/0 --store ID --revoke app"},
			},
		},
		{
			name: "history", summary: "list a store's last imports and operators' acts", define: defineHistory,
			usage: historyUsage,
			examples: []example{
				{"list them, the newest first", "cartd history --redis redis://127.0.0.1:6379/0 --store ID"},
				{"list what operators have changed in all stores, also in dropped ones", "cartd history --redis redis://127.0.0.1:6379/0 --all"},
			},
		},
		{
			name: "stores", summary: "list the stores, close, suspend, limit or delete one", operator: storesCommand(),
			examples: []example{
				{"list the stores", "cartd stores --redis redis://127.0.0.1:6379/0"},
				{"close a store for orders; it can still be read", "cartd stores --redis redis://127.0.0.1:6379/0 --closed ID --message 'Back at noon'"},
				{"suspend a store at once, also across imports", "cartd stores --redis redis://127.0.0.1:6379/0 --suspend ID"},
				{"give a store another request limit; 0 is its document's", "cartd stores --redis redis://127.0.0.1:6379/0 --limit ID 600"},
				{"delete a store; its name has to be typed", "cartd stores --redis redis://127.0.0.1:6379/0 --drop ID"},
			},
		},
		{
			name: "show", summary: "show a cart, an order, a quote, a customer or stock, for support", define: defineShow,
			usage: showUsage(),
			examples: []example{
				{"show a cart of any store", "cartd show --redis redis://127.0.0.1:6379/0 cart ID"},
				{"show it by the 8 characters that the log shows of its id", "cartd show --redis redis://127.0.0.1:6379/0 cart 5f0c2a9b"},
				{"print the total of an order only", "cartd show --redis redis://127.0.0.1:6379/0 order ID | jq .data.totals.total"},
				{"show a customer of one store", "cartd show --redis redis://127.0.0.1:6379/0 --store ID customer ada@example.com"},
				{"show the order with a number, as rows", "cartd show --redis redis://127.0.0.1:6379/0 --store ID --table order 1042"},
				{"write all that a customer may ask for", "cartd show --redis redis://127.0.0.1:6379/0 --store ID --json customer ada@example.com"},
				{"show who holds the stock of a product or a SKU", "cartd show --redis redis://127.0.0.1:6379/0 stock RB-100"},
				{"show a quote and write its signature to a file", "cartd show --redis redis://127.0.0.1:6379/0 --signature quote.png quote ID"},
			},
		},
		{
			name: "customer", summary: "approve the account of a business, or let it have reverse charge", operator: customerCommand(),
			examples: []example{
				{"approve a business that has registered", "cartd customer --redis redis://127.0.0.1:6379/0 --store ID --approve ID"},
				{"approve it and put it into a group", "cartd customer --redis redis://127.0.0.1:6379/0 --store ID --approve ID --group ID"},
				{"say that its VAT id is good for reverse charge", "cartd customer --redis redis://127.0.0.1:6379/0 --store ID --reverse-charge ID"},
			},
		},
		{
			name: "erase", summary: "remove a customer's personal data from a store", operator: eraseCommand(),
			examples: []example{
				{"erase an account", "cartd erase --redis redis://127.0.0.1:6379/0 --store ID --customer ID"},
				{"erase a customer, and keep the address of the invoice of orders",
					"cartd erase --redis redis://127.0.0.1:6379/0 --store ID --customer ada@example.com --keep-invoices"},
				{"erase an account and all carts with its address", "cartd erase --redis redis://127.0.0.1:6379/0 --store ID --customer ada@example.com"},
			},
		},
		{
			name: "reindex", summary: "make the lists of names and quotes right, by the records that they name", operator: reindexCommand(),
			examples: []example{
				{"after cartd check --redis has named entries that are wrong", "cartd reindex --redis redis://127.0.0.1:6379/0 --store ID"},
			},
		},
		{
			name: "webhooks", summary: "list a store's webhooks, test them, or send given-up events again", operator: webhooksCommand(),
			examples: []example{
				{"count the events that wait and those that were given up", "cartd webhooks --redis redis://127.0.0.1:6379/0 --store ID"},
				{"send a test event to every webhook", "cartd webhooks --redis redis://127.0.0.1:6379/0 --store ID --test"},
				{"send the given-up events of one webhook again", "cartd webhooks --redis redis://127.0.0.1:6379/0 --store ID --webhook WEBHOOK --resend"},
			},
		},
		{
			name: "size", summary: "compute how many nodes, Redis masters and cells a plan needs", define: defineSize,
			usage: sizeUsage,
			examples: []example{
				{"size one shop", "cartd size --products 5000 --stock --carts 200000 --requests 300"},
				{"size a platform of many stores", "cartd size --stores 10000 --products 200 --carts 50000000 --requests 200000"},
			},
		},
		{
			name: "completion", summary: "print a script that completes commands and flags in a shell", define: defineCompletion,
			usage: completionUsage,
			examples: []example{
				{"complete in this bash", "source <(cartd completion bash)"},
				{"complete in every fish", "cartd completion fish > ~/.config/fish/completions/cartd.fish"},
			},
		},
		{
			name: "help", summary: "explain a command, with examples", define: defineHelp,
			usage:    "cartd help [COMMAND]",
			examples: []example{{"list all flags of serve", "cartd help serve"}},
		},
		{name: "version", summary: "print the release, the revision and Go's version", define: defineVersion, usage: versionUsage},
	}
}
