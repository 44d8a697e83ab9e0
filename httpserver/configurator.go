package httpserver

import (
	"cartd/commerce"
	"cartd/httpserver/bodies"
	"cartd/internal/answers"
)

// configuratorRefusals are the refusals of a configurator quote apart from the faults of its
// fields.
var configuratorRefusals = []*commerce.Refusal{
	commerce.NotPurchasable.Plain(), commerce.NoConfiguredPrice.Plain(), commerce.ConfigurationInvalid.Plain(), commerce.QuantityNotWhole,
}

// handleConfiguratorSchema shows the dimensions and choices of a product.
func handleConfiguratorSchema(_ *Server, x *exchange) error {
	product, err := x.configurable()
	if err != nil {
		return err
	}
	country, fault := x.taxCountry()
	if fault != nil {
		return fault
	}
	offered, choices := product.Configurator.Engine.Offered(), 0
	for i := range offered.Groups {
		choices += len(offered.Groups[i].Choices)
	}
	if err = x.makesList(choices); err != nil {
		return err
	}
	x.out = answers.Configurator.Append(x.out, answers.ConfiguratorView{
		Configurator: offered, Tax: x.facts.Store.Taxation(country, &x.facts.Visitor), Product: product,
	})
	return nil
}

// handleConfiguratorQuote prices a configuration. It stores nothing.
func handleConfiguratorQuote(_ *Server, x *exchange) error {
	product, err := x.configurable()
	if err != nil {
		return err
	}
	asked, fault := bodies.ConfigurationQuote.Read(x.body)
	if fault != nil {
		return fault
	}
	country, fault := x.taxCountry()
	if fault != nil {
		return fault
	}
	a := x.facts
	quote, refusal := a.Store.QuoteConfiguration(product, &asked.Selection, asked.Quantity, a.Visitor, country, a.Now)
	if refusal != nil {
		return refusal
	}
	x.out = answers.ConfigurationQuote.Append(x.out, answers.ConfigurationQuoteView{
		ConfigurationQuote: &quote, Tax: a.Store.Taxation(country, &a.Visitor), Product: product,
	})
	return nil
}

// configurable returns the product in the path if it is active and made to measure.
// Spec: Versioning, 2026-10-11, configurator endpoints.
func (x *exchange) configurable() (*commerce.Product, error) {
	if id, ok := commerce.ParseID(x.param("id")); ok {
		p := x.facts.Store.Product(id)
		if p != nil && p.Active && p.Capability == commerce.MadeToMeasure {
			return p, nil
		}
	}
	return nil, commerce.NotFound("Product", x.param("id"))
}
