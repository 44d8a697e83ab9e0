package bodies

import (
	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
)

// maxNotice is the maximum length of the message of a closed store.
const maxNotice = 255

// StoreClosing is the body of a closing of the store for orders: the message for its visitors, empty for the usual one.
var StoreClosing = Object("StoreClosing",
	field.Nullable("message", TextOrNull(maxNotice), "What visitors read; null: the usual text.", func(message *string) *string { return message }))

// ContactStanding is the body of a change of what the merchant decides about an account.
var ContactStanding = Form("ContactStanding", func(s *commerce.ChangeStanding) *commerce.Faults { return &s.Faults },
	field.Optional("approved", field.Pointer(Boolean), "false only for a business.", func(s *commerce.ChangeStanding) **bool { return &s.Approved }),
	field.Nullable("customer_group_id", field.Pointer(field.OrNull(ID)), "null: none.", func(s *commerce.ChangeStanding) **uuid.UUID { return &s.Group }),
	field.Nullable("vat_id", field.Pointer(TextOrNull(commerce.MaxVATID)), "Another one without reverse_charge ends the reverse charge.",
		func(s *commerce.ChangeStanding) **string { return &s.VATID }),
	field.Optional("reverse_charge", field.Pointer(Boolean), "Whether the VAT id, which must be there, is good for reverse charge.",
		func(s *commerce.ChangeStanding) **bool { return &s.ReverseCharge }))

// StockAdjustment is the body of a stock adjustment.
var StockAdjustment = Object("StockAdjustment",
	field.Required("product_id", ID, "", func(a *commerce.StockAdjustment) *uuid.UUID { return &a.ProductID }),
	noted(field.Optional("variant_id", ID, "", func(a *commerce.StockAdjustment) *uuid.UUID { return &a.VariantID }),
		func(a *commerce.StockAdjustment) *bool { return &a.VariantSent }),
	field.Required("quantity", StockDelta, "The change: positive to add, negative to remove. Up to three decimals.",
		func(a *commerce.StockAdjustment) *commerce.StockDelta { return &a.Quantity }),
	field.Optional("reason", field.Pointer(Text(commerce.MaxStockReason)), "", func(a *commerce.StockAdjustment) **string { return &a.Reason }),
)
