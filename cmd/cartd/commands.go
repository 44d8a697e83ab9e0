package main

// commands are all subcommands, in the order of the help.
func commands() []command {
	return []command{
		{
			name: "serve", summary: "serve the HTTP API", logs: true, define: defineServe,
			usage: "cartd serve --redis URL [--store FILE]…",
			examples: []example{
				{"try it out, keeping nothing", "cartd serve --redis embedded --demo"},
				{"serve, with a store that is loaded at the first start", "cartd serve --redis redis://127.0.0.1:6379/0 --store shop.json"},
				{"behind a proxy, the password in a file", "cartd serve --listen :8080 --redis-file /etc/cartd/redis-url --trusted-proxies 10.0.0.0/8"},
			},
		},
		{
			name: "check", summary: "validate store documents", define: defineCheck,
			usage: checkUsage,
			examples: []example{
				{"list all faults", "cartd check shop.json"},
				{"of several stores that share a Redis", "cartd check stores/*.json"},
				{"for a program", "cartd check --json shop.json | jq '.[].faults'"},
			},
		},
		{
			name: "import", summary: "load store documents into Redis, while nodes run", define: defineImport,
			usage: importUsage,
			examples: []example{
				{"load a store or replace it", "cartd import --redis redis://127.0.0.1:6379/0 shop.json"},
				{"from a pipe", "zcat shop.json.gz | cartd import --redis redis://127.0.0.1:6379/0 -"},
			},
		},
		{
			name: "export", summary: "write a store as a document", define: defineExport,
			usage: exportUsage,
			examples: []example{
				{"into a file", "cartd export --redis redis://127.0.0.1:6379/0 --store ID --out shop.json"},
				{"only the names of its products", "cartd export --redis redis://127.0.0.1:6379/0 --store ID | jq -r '.products[].name'"},
			},
		},
		{
			name: "orders", summary: "write a store's orders as JSON lines", define: defineOrders,
			usage: ordersUsage,
			examples: []example{
				{"all of them", "cartd orders --redis redis://127.0.0.1:6379/0 --store ID > orders.jsonl"},
				{"those that are new since number 1200", "cartd orders --redis redis://127.0.0.1:6379/0 --store ID --since 1200"},
			},
		},
		{
			name: "key", summary: "make, list and revoke API keys", define: defineKey,
			usage: keyUsage,
			examples: []example{
				{"make one; it is shown once", "cartd key --redis redis://127.0.0.1:6379/0 --store ID --name app --scopes commerce:read,commerce:write"},
				{"list them", "cartd key --redis redis://127.0.0.1:6379/0 --store ID --list"},
				{"revoke one for good", "cartd key --redis redis://127.0.0.1:6379/0 --store ID --revoke app"},
			},
		},
		{
			name: "stores", summary: "list the stores, or drop one with its data", define: defineStores,
			usage: storesUsage,
			examples: []example{
				{"list them", "cartd stores --redis redis://127.0.0.1:6379/0"},
				{"drop one; its name has to be typed", "cartd stores --redis redis://127.0.0.1:6379/0 --drop ID"},
			},
		},
		{
			name: "show", summary: "show a cart, an order, a quote or a customer, for support", define: defineShow,
			usage: showUsage(),
			examples: []example{
				{"a cart, of whatever store", "cartd show --redis redis://127.0.0.1:6379/0 cart ID"},
				{"a customer of one store", "cartd show --redis redis://127.0.0.1:6379/0 --store ID customer ada@example.com"},
				{"a quote, its signature into a file", "cartd show --redis redis://127.0.0.1:6379/0 --signature quote.png quote ID"},
			},
		},
		{
			name: "erase", summary: "take a customer's personal data out of a store", define: defineErase,
			usage: eraseUsage,
			examples: []example{
				{"an account", "cartd erase --redis redis://127.0.0.1:6379/0 --store ID --customer ID"},
				{"an account and all carts that carry an address", "cartd erase --redis redis://127.0.0.1:6379/0 --store ID --customer ada@example.com"},
			},
		},
		{
			name: "webhooks", summary: "list a store's webhooks; test one, or resend what was given up", define: defineWebhooks,
			usage: webhooksUsage,
			examples: []example{
				{"what waits, and what was given up", "cartd webhooks --redis redis://127.0.0.1:6379/0 --store ID"},
				{"send a test event to each", "cartd webhooks --redis redis://127.0.0.1:6379/0 --store ID --test"},
				{"send again what one did not take", "cartd webhooks --redis redis://127.0.0.1:6379/0 --store ID --webhook WEBHOOK --resend"},
			},
		},
		{
			name: "completion", summary: "print what completes commands and flags in a shell", define: defineCompletion,
			usage: completionUsage,
			examples: []example{
				{"for this bash", "source <(cartd completion bash)"},
				{"for every fish", "cartd completion fish > ~/.config/fish/completions/cartd.fish"},
			},
		},
		{
			name: "help", summary: "explain a command, with examples", define: defineHelp,
			usage:    "cartd help [COMMAND]",
			examples: []example{{"all flags of serve", "cartd help serve"}},
		},
		{name: "version", summary: "say what was built", define: defineVersion, usage: versionUsage},
	}
}
