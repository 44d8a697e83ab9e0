// Package commerce owns the rules of the storefront, as pure functions: money, quantities, stores,
// products, prices, carts, contacts, quotes and their transitions, orders, discounts, tax, totals,
// quote triggers, and every refusal that a client can get.
//
// It knows no network, no storage, no clock, no randomness and no goroutine. Times and ids are
// arguments. Writes beside the record are returned as Effects.
//
// Open first: cart.go and contact.go (the states), command.go and line.go (how a request changes
// them), refusal.go (every answer that is not a success). The files by subject:
//
//   - Values: money.go, percent.go, quantity.go, micros.go and weight.go (numbers with a unit), decimal.go
//     and number.go (their texts), id.go, email.go, country.go, metadata.go, name_set.go (scopes and modules),
//     language.go, search_text.go (texts that differ in case or accents), control_character.go (names of one line).
//   - Store: store.go, store_index.go (what finds products), shared.go (maps that versions of a store share),
//     apikey.go, rate_limit.go, webhook.go, redirect.go, category.go.
//   - Product: product.go, pack.go (the quantities that a line may have), backorder.go (sales ahead of the stock),
//     display.go (pictures and attributes), configurator.go, product_range.go (those that a discount is about).
//   - Price: price.go (also from a date on), price_view.go (as the catalogue shows it),
//     line_price.go (of a line whose product has another one now).
//   - Cart: cart.go, cart_binding.go (whose it is), cart_copy.go, cart_details.go,
//     cart_size.go, basket.go (priced without a cart), claim.go, line.go, line_add.go, line_batch.go, line_change.go, configuration.go (of a
//     product made to measure), property.go (the shopper's texts of a line).
//   - Total: cart_pricing.go (a cart's amounts), allocation.go (cents over lines), tax.go, taxation.go (the
//     country, its rates and exemptions), invariant.go (what every total must meet), explain.go, explain_price.go, explain_checkout.go.
//   - Discount: discount.go, discount_kind.go (the table of kinds, and what each takes off), discount_eligibility.go,
//     discount_sequence.go (the order in which they apply, and which exclude others), discount_use.go (counted uses), discount_code.go,
//     code_missing.go, code_batch.go (codes that a secret makes), discount_index.go.
//   - Delivery: shipping_method.go, delivery_option.go (the methods that suit a cart, with their costs),
//     asked_delivery.go (what a checkout asks for).
//   - Stock: stock.go (levels), hold.go (what a cart sets aside), stock_adjust.go.
//   - Order: kept_checkout.go (entries of a checkout that a cart keeps), checkout.go, checkout_rules.go,
//     order_sale.go (an order with all that it uses up), order.go, order_token.go, payment.go,
//     part.go (what became of an order in parts), part_sent.go (the lines that a request names), shipment.go, cancel.go,
//     order_return.go, refund.go, refund_groups.go (money by rate), order_archive.go.
//   - Quote: quote.go, quote_trigger.go (when a cart needs one), quote_request.go, quote_answer.go (with its signature),
//     quote_write.go (what the merchant sends), quote_draft.go (a draft with its sums), quote_from.go, quote_offer.go.
//   - Customer: contact.go, contact_standing.go (what the merchant decides about an account), customer.go (the visitor of a
//     request, and its session), profile.go, external_account.go (whose customer logs in elsewhere), password.go,
//     foreign_hash.go (hashes that documents bring), address.go.
//   - Answers: refusal.go, refusal_row.go (how the table is made), message.go (texts for faulty fields), validation.go (their collection), event.go.
//   - Erasure: erasure.go (what is left of a customer's records).
//   - Change: command.go.
package commerce
