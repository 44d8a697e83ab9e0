// Package commerce owns the rules of the storefront, as pure functions: money, quantities, stores,
// products, prices, carts, contacts, quotes and their transitions, orders, discounts, tax, totals,
// quote triggers, and every refusal that a client can get.
//
// It knows no network, no storage, no clock, no randomness and no goroutine. Times and ids are
// arguments. Writes beside the record are returned as Effects.
//
// Open first: cart.go and contact.go (the states), command.go and line.go (how a request changes
// them), refusal.go (every answer that is not a success). A noun of the API has a file of its name.
// What its name does not say:
//
//   - Values: number.go has the texts of numbers, apikey.go those of scopes and modules, search_text.go the texts that differ in
//     case or accents only, validation.go the collection of faulty fields, names of one line and times.
//   - Store: shared_map.go has the maps that versions of a store share; backorder.go sales ahead of the stock.
//   - Cart: cart_pricing.go computes a cart's amounts and what every total must meet; price_preview.go prices lines without a cart.
//   - Discount: discount_kind.go is the table of kinds, and what each takes off; discount_eligibility.go which discounts a cart
//     gets, in their order; discount_use.go the counted uses; code_batch.go codes that a secret makes.
//   - Order: checkout.go sells a cart, kept_checkout.go has the entries that it keeps until then, shipping.go how it is sent,
//     order_sale.go an order with all that it uses up, part.go what became of an order in parts; hold.go is the stock that a cart
//     sets aside.
//   - Quote: quote_trigger.go says when a cart needs one, quote_request.go asks for one, quote_write.go is what the merchant sends,
//     quote_draft.go a draft with its sums, quote_acceptance.go the customer's answer with its signature.
//   - Customer: customer.go is the visitor of a request, with its session; external_account.go one whose customer logs in elsewhere.
package commerce
