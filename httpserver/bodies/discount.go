package bodies

import (
	"cartd/commerce"
	"cartd/internal/field"
)

// CodeRequest is the body that asks for codes of a batch.
var CodeRequest = Object("CodeRequest",
	field.Required("batch", Whole(0, commerce.MaxBatchNumber), "The number of a batch of the discount, active or not.",
		func(q *commerce.CodeRequest) *int64 { return &q.Batch }),
	field.Required("count", Whole(1, commerce.MaxCodesAtOnce), "", func(q *commerce.CodeRequest) *int64 { return &q.Count }),
	field.Optional("from", field.Pointer(Whole(0, commerce.BatchCodes-1)), "The serial of the first code. Without it the codes are those that were never given.",
		func(q *commerce.CodeRequest) **int64 { return &q.From }),
)

// DiscountCode is the body that attaches a code.
var DiscountCode = Object("DiscountCode",
	field.Required("code", Verbatim(commerce.MaxCodeLength),
		"Replaces an earlier one, unless the store allows several. Letter case, and spaces around it, do not matter.",
		func(code *string) *string { return code }),
)
