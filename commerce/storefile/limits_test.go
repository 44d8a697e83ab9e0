package storefile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// webhookList is the minimal document with n webhooks.
func webhookList(n int) string {
	const one = `{"url":"https://example.org/hook","secret":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw","events":[]}`
	list := `"webhooks":[` + strings.TrimSuffix(strings.Repeat(one+",", n), ",") + `],`
	return strings.Replace(minimal, `"name":`, list+`"name":`, 1)
}

func TestMaxWebhooks(t *testing.T) {
	for n, want := range map[int][]string{100: nil, 101: one("store.webhooks: must have at most 100 webhooks")} {
		if got := faultsOf(t, webhookList(n)); !slices.Equal(got, want) {
			t.Errorf("%d webhooks\n got %q\nwant %q", n, got, want)
		}
		agree(t, fmt.Sprint(n, " webhooks"), []byte(webhookList(n)))
	}
}

// numbered joins n copies of a JSON text, in which %s is a number of twelve digits.
func numbered(n int, text string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.ReplaceAll(text, "%s", fmt.Sprintf("%012d", i+1))
	}
	return strings.Join(all, ",")
}

// The limits are judged at an import only: a store that Redis has already goes on.
func TestMaxVariantsAndAutomaticDiscounts(t *testing.T) {
	variants := func(n int) string {
		return strings.Replace(sparse, `{"id":"51000000-0000-4000-8000-000000000001","name":"V"}`, numbered(n, `{"id":"61000000-0000-4000-8000-%s","name":"V"}`), 1)
	}
	discounts := func(automatic int) string {
		const one = `{"id":"%x0000000-0000-4000-8000-%s","name":"D","kind":"order","value":{"type":"percent","percent":"1"}`
		first, second, third := strings.Replace(one, "%x", "a", 1), strings.Replace(one, "%x", "b", 1), strings.Replace(one, "%x", "c", 1)
		return strings.TrimSuffix(minimal, "}") + `,"discounts":[` + numbered(automatic, first+`}`) + `,` + numbered(400, second+`,"code":"C%s"}`) + `,` +
			numbered(400, third+`,"active":false}`) + `]}`
	}
	exclusives := func(n int) string {
		const one = `{"id":"%x0000000-0000-4000-8000-%s","name":"D","kind":"order","exclusive":true,"value":{"type":"percent","percent":"1"}`
		first, second, third := strings.Replace(one, "%x", "a", 1), strings.Replace(one, "%x", "b", 1), strings.Replace(one, "%x", "c", 1)
		return strings.TrimSuffix(minimal, "}") + `,"discounts":[` + numbered(n, first+`}`) + `,` + numbered(20, second+`,"code":"C%s"}`) + `,` +
			numbered(20, third+`,"active":false}`) + `]}`
	}
	methods := func(n int) string {
		return strings.TrimSuffix(minimal, "}") + `,"tax_rates":[{"code":"s","rate":"21"}],"shipping_methods":[` +
			numbered(n, `{"id":"70000000-0000-4000-8000-%s","name":"M","price_amount":1,"tax":"s"}`) + `]}`
	}
	for _, c := range []struct {
		text string
		want []string
	}{
		{methods(100), nil},
		{methods(101), one("shipping_methods: must have at most 100 shipping methods")},
		{variants(2000), nil},
		{variants(2001), one("products[0].variants: must have at most 2000 variants")},
		{discounts(500), nil},
		{exclusives(10), nil},
		{exclusives(11), one("discounts: must have at most 10 active exclusive discounts without a code, not 11")},
		{discounts(501), one("discounts: must have at most 500 active discounts without a code, not 501")},
	} {
		if got := faultsOf(t, c.text); !slices.Equal(got, c.want) {
			t.Errorf("got %q\nwant %q", got, c.want)
		}
		if _, err := ParseKept([]byte(c.text)); err != nil {
			t.Errorf("from Redis: %v", err)
		}
	}
}

// choiceGroups is a document with one product. Its groups have these numbers of choices.
func choiceGroups(numbers ...int) string {
	var groups []string
	for g, n := range numbers {
		var choices []string
		for i := range n {
			choices = append(choices, fmt.Sprintf(`{"id":"%d-%d","label":"L","requires":["%d-0"]}`, g, i, len(numbers)-1))
		}
		groups = append(groups, fmt.Sprintf(`{"id":"g%d","label":"G","choices":[%s]}`, g, strings.Join(choices, ",")))
	}
	return strings.TrimSuffix(minimal, "}") + `,"tax_rates":[{"code":"s","rate":"21"}],"products":[{"id":"50000000-0000-4000-8000-000000000001",
		"name":"P","slug":"p","tax":"s","capability":"made_to_measure","configurator":{"groups":[` + strings.Join(groups, ",") + `]}}]}`
}

// The limit applies to all groups of a product together.
func TestMaxChoices(t *testing.T) {
	for _, c := range []struct {
		numbers []int
		want    []string
	}{
		{[]int{1000}, nil},
		{[]int{400, 600}, nil},
		{[]int{1001}, one("products[0].configurator.groups: must have at most 1000 choices together, not 1001")},
		{[]int{400, 0, 601}, one("products[0].configurator.groups: must have at most 1000 choices together, not 1001")},
		{[]int{30_000}, one("products[0].configurator.groups: must have at most 1000 choices together, not 30000")},
	} {
		if got := faultsOf(t, choiceGroups(c.numbers...)); !slices.Equal(got, c.want) {
			t.Errorf("groups of %v choices\n got %q\nwant %q", c.numbers, got, c.want)
		}
	}
}

// A store may contain a hash above the cost limits. The export leaves it out and has no fault. A
// customer with such a hash cannot log in anyway.
func TestAnExportLeavesOutHashesBeyondTheLimits(t *testing.T) {
	doc := mustParse(t, full(t))
	doc.Customers[1].PasswordHash = strings.Replace(doc.Customers[1].PasswordHash, "m=65536", "m=262144", 1)
	again := mustParse(t, exported(t, exportOf(doc)))
	if hash := again.Customers[1].PasswordHash; hash != "" {
		t.Errorf("the customer has the password hash %q, want none", hash)
	}
}
