package catalogue

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"cartd/commerce"
)

// Warnings lists what a correct store should not have at a time, and what the catalogue does not show.
func Warnings(s *commerce.Store, now time.Time) (all []string) {
	if codes := s.ShortCodes(); len(codes) > 0 {
		all = append(all, fmt.Sprintf("%s of active discounts below %d characters can be guessed: %s (docs/api/discounts.md)",
			numberOf(len(codes), "code"), commerce.MinCodeLength, firstOf(codes)))
	}
	if identifying := IdentifyingAttributes(s); len(identifying) > 0 {
		names := make([]string, len(identifying))
		for i, a := range identifying {
			names[i] = fmt.Sprintf("%s (%s)", a.Name, numberOf(a.Values, "value"))
		}
		all = append(all, fmt.Sprintf("%s without a facet, because nearly all values differ: %s (docs/api/catalogue.md#options-filters-facets)",
			numberOf(len(names), "attribute"), firstOf(names)))
	}
	if n := s.DatedProducts(); n > 0 && s.Policy.LinePrices == commerce.KeepPrices {
		all = append(all, fmt.Sprintf("%s with price_periods, but store.policy.line_prices is keep: a line of a cart keeps the price of a period after its end "+
			"(docs/api/lines.md#prices-that-move)", numberOf(n, "product")))
	}
	if names := s.UnsellablePacks(); len(names) > 0 {
		all = append(all, fmt.Sprintf("store.policy.max_quantity_per_line, %s, permits no quantity of %s: %s (docs/api/lines.md#packs)",
			s.Policy.MaxQuantityPerLine, numberOf(len(names), "product"), firstOf(names)))
	}
	return slices.Concat(all, backorderWarnings(s, now), limitWarnings(s), countryWarnings(s), quoteWarnings(s))
}

// quoteWarnings lists the events that a store with reviewed quotes needs and no webhook has.
func quoteWarnings(s *commerce.Store) (all []string) {
	if !s.Quotes.Enabled || s.Quotes.Mode != commerce.ReviewedQuotes {
		return nil
	}
	for _, needed := range []struct{ event, effect string }{
		{commerce.EventQuoteRequested, "nobody is told of a request"}, {commerce.EventQuoteOffered, "no mail brings the customer the link of an offer"},
	} {
		if !slices.ContainsFunc(s.Webhooks, func(w commerce.Webhook) bool { return slices.Contains(w.Events, needed.event) }) {
			all = append(all, fmt.Sprintf("store.quotes.mode is reviewed, but no webhook has the event %s: %s (docs/api/quotes.md#the-merchants-side)",
				needed.event, needed.effect))
		}
	}
	return all
}

// limitWarnings lists limits that have no effect.
func limitWarnings(s *commerce.Store) (all []string) {
	limit, reserved := s.RateLimit, s.Limits.ReservedForCarts
	if counts := s.Limits.Reserve(limit); counts < reserved {
		all = append(all, fmt.Sprintf("store.limits.reserved_for_carts is %d, but at most half of rate_limit_per_minute counts: %d "+
			"(docs/api/limits.md#budgets-inside-a-store)", reserved, counts))
	}
	if client := s.Limits.PerClient; client >= limit {
		all = append(all, fmt.Sprintf("store.limits.per_client is %d, not below rate_limit_per_minute, %d: one client can use up the store's limit "+
			"(docs/api/limits.md#budgets-inside-a-store)", client, limit))
	}
	return all
}

// countryWarnings lists settings of the tax by country that have no effect.
func countryWarnings(s *commerce.Store) (all []string) {
	delivered, limited := s.ShippingCountries()
	if !limited || len(delivered) == 0 {
		return nil
	}
	var idle []string
	for _, country := range taxedCountries(s) {
		if !slices.Contains(delivered, country) {
			idle = append(idle, country.String())
		}
	}
	if len(idle) > 0 {
		all = append(all, fmt.Sprintf("no shipping method delivers to these countries with a rate or an exemption of their own: %s (docs/api/tax.md)",
			firstOf(idle)))
	}
	return all
}

// taxedCountries are the countries, in order, with rates or exemptions of their own.
func taxedCountries(s *commerce.Store) []commerce.Country {
	all := slices.Concat(s.ExportCountries, s.ReverseChargeCountries)
	for i := range s.TaxRates {
		for country := range s.TaxRates[i].Countries {
			all = append(all, country)
		}
	}
	slices.SortFunc(all, func(a, b commerce.Country) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(all)
}

// backorderWarnings lists back orders without effect, and those whose goods were expected on a day that has passed.
func backorderWarnings(s *commerce.Store, now time.Time) (all []string) {
	var untracked, late []string
	today := commerce.DateOf(now)
	for _, p := range s.Products {
		var earliest commerce.Date
		set := p.Backorders()
		for _, b := range set {
			if b.Limit > 0 && b.From > 0 && (earliest == 0 || b.From < earliest) {
				earliest = b.From
			}
		}
		switch {
		case len(set) > 0 && !p.TrackStock:
			untracked = append(untracked, p.Name)
		case earliest > 0 && earliest < today:
			late = append(late, fmt.Sprintf("%s (%s)", p.Name, earliest))
		}
	}
	if len(untracked) > 0 {
		all = append(all, fmt.Sprintf("%s with a backorder that has no effect, because track_stock is false: %s (docs/api/stock.md#back-orders)",
			numberOf(len(untracked), "product"), firstOf(untracked)))
	}
	if len(late) > 0 {
		all = append(all, fmt.Sprintf("%s with a backorder whose available_from has passed: %s (docs/api/stock.md#back-orders)",
			numberOf(len(late), "product"), firstOf(late)))
	}
	return all
}

// numberOf returns a number with its noun: 1 key, 2 keys.
func numberOf(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// firstOf lists the first five texts.
func firstOf(texts []string) string {
	shown := strings.Join(texts[:min(len(texts), 5)], ", ")
	if len(texts) > 5 {
		shown += ", …"
	}
	return shown
}
