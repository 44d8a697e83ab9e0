package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// demoDocument is the demo's document, as far as docs/demo.md describes it.
type demoDocument struct {
	Keys []struct {
		Key     string   `json:"key"`
		Scopes  []string `json:"scopes"`
		Revoked bool     `json:"revoked"`
	} `json:"api_keys"`
	Groups []struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"customer_groups"`
	Customers []struct {
		Email    string `json:"email"`
		Password string `json:"password"`
		GroupID  string `json:"group_id"`
		Approved *bool  `json:"approved"`
		Tokens   []struct {
			Token string `json:"token"`
		} `json:"tokens"`
	} `json:"customers"`
	Discounts []struct {
		Code    string `json:"code"`
		EndsAt  string `json:"ends_at"`
		Active  *bool  `json:"active"`
		Limit   int    `json:"usage_limit"`
		Used    int    `json:"used"`
		Batches []struct {
			Prefix string `json:"prefix"`
		} `json:"code_batches"`
		Value struct {
			Percent string `json:"percent"`
			Amount  int    `json:"amount"`
		} `json:"value"`
	} `json:"discounts"`
	Products []struct {
		ID   string `json:"id"`
		Slug string `json:"slug"`
	} `json:"products"`
	Methods []struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"shipping_methods"`
}

// docs/demo.md has every key, account, token and code of the demo's document, and no other. It has
// some products and deliveries. Each row agrees with the document.
func TestTheTableOfTheDemoIsTrue(t *testing.T) {
	t.Parallel()
	store, err := os.ReadFile("demo/store.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc demoDocument
	if err := json.Unmarshal(store, &doc); err != nil {
		t.Fatal(err)
	}
	facts := doc.facts()
	table, err := os.ReadFile("../../docs/demo.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| ([A-Za-z ]+) \\| (.*`) \\| (.*) \\|$").FindAllStringSubmatch(string(table), -1)
	for _, row := range rows {
		name, says := row[1]+" "+row[2], row[3]
		fact, known := facts[name]
		if !known || !strings.Contains(says, fact) {
			t.Errorf("docs/demo.md says of %s: %q; the demo's document has it: %t, want in the row %q", name, says, known, fact)
		}
		delete(facts, name)
	}
	for name := range facts {
		if !strings.HasPrefix(name, "product") && !strings.HasPrefix(name, "delivery") {
			t.Errorf("docs/demo.md lacks %s", name)
		}
	}
}

// facts returns the rows that the table may have, each with a word that its last column must have.
func (d *demoDocument) facts() map[string]string {
	facts, groups := map[string]string{}, map[string]string{}
	for _, group := range d.Groups {
		groups[group.ID] = "group " + group.Name
	}
	for _, key := range d.Keys {
		fact := ""
		if key.Revoked {
			fact = "revoked"
		} else if strings.Contains(strings.Join(key.Scopes, " "), "catalog:write") {
			fact = "catalog:write"
		}
		facts["API key `"+key.Key+"`"] = fact
	}
	for _, c := range d.Customers {
		value := "`" + c.Email + "`"
		if c.Password != "" {
			value += ", `" + c.Password + "`"
		}
		for _, token := range c.Tokens {
			value += ", token `" + token.Token + "`"
		}
		facts["account "+value] = groups[c.GroupID]
		if c.Approved != nil && !*c.Approved {
			facts["account "+value] = "approval"
		}
	}
	for _, one := range d.Discounts {
		fact := ""
		switch {
		case one.Active != nil && !*one.Active:
			fact = "`invalid`"
		case one.EndsAt != "" && one.EndsAt < "2026":
			fact = "`expired`"
		case one.Limit > 0 && one.Used == one.Limit:
			fact = "`usage_limit`"
		case one.Value.Amount > 0:
			fact = fmt.Sprintf("%d.%02d off", one.Value.Amount/100, one.Value.Amount%100)
		case one.Value.Percent != "":
			fact = one.Value.Percent + " per cent off"
		}
		if one.Code != "" {
			facts["code `"+one.Code+"`"] = fact
		}
		for _, batch := range one.Batches {
			facts["batch of codes `"+batch.Prefix+"`"] = fact
		}
	}
	for _, p := range d.Products {
		facts["product `"+p.Slug+"`"] = "`" + p.ID + "`"
	}
	for _, m := range d.Methods {
		facts["delivery `"+m.ID+"`"] = m.Name
	}
	return facts
}
