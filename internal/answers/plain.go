package answers

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/field"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// Kind is the kind of values that an answer has.
type Kind[V any] = field.Kind[field.Written, V]

// Field is a row of an answer's table.
type Field[T any] = field.Field[field.Written, T]

// Constant is a field that has the same text in every object.
func Constant[T any](name, text, about string) Field[T] {
	return field.Constant[field.Written, T](name, text, about)
}

// The plain kinds.
var (
	Text       = Kind[string]{Schema: openapi.Text, Append: strictjson.AppendString}
	TextOrNull = field.OrNull(Text)
	Texts      = field.Values(Text)
	Boolean    = Kind[bool]{Schema: openapi.Boolean, Append: strconv.AppendBool}
	Integer    = whole[int]()
	LongNumber = whole[int64]()
	UUID       = Kind[uuid.UUID]{Schema: openapi.UUID, Append: appendUUID}
	UUIDOrNull = field.OrNull(UUID)
	// Time is written in whole seconds of UTC: "2026-11-20T10:00:00Z".
	Time       = Kind[time.Time]{Schema: openapi.Time, Append: appendTime}
	TimeOrNull = Kind[time.Time]{Schema: openapi.Time.OrNull(), Append: appendTimeOrNull}
	Amount     = whole[commerce.Amount]()
	Quantity   = number[commerce.Quantity]()
	Percent    = number[commerce.Percent]()
	Stock      = number[commerce.Micros]()
	DateOrNull = field.OrNull(Kind[commerce.Date]{Schema: openapi.Date, Append: appendDate})
	Metadata   = Kind[commerce.Metadata]{Schema: metadata.OrNull(), Append: appendMetadata}

	metadata = openapi.Map(openapi.AnyOf(openapi.Text, openapi.Number, openapi.Boolean, openapi.Null))
)

// Names is the kind of texts with one of several values.
func Names(names ...string) Kind[string] { return field.Shaped(Text, openapi.Names(names...)) }

// Money is an amount with its currency. Spec: money.
var Money = field.Object("Money",
	field.Self("amount", Amount, "In minor units (cents)."),
	Constant[commerce.Amount]("currency", commerce.Currency, ""))

// number is the kind of decimals of a type.
func number[N interface{ AppendJSON(dst []byte) []byte }]() Kind[N] {
	return Kind[N]{Schema: openapi.Number, Append: func(dst []byte, n N) []byte { return n.AppendJSON(dst) }}
}

// whole is the kind of integers of a type.
func whole[N ~int | ~int64]() Kind[N] {
	return Kind[N]{Schema: openapi.Integer, Append: func(dst []byte, n N) []byte { return appendWhole(dst, int64(n)) }}
}

// appendWhole is strconv.AppendInt, but faster for numbers of up to six digits, as most amounts are.
func appendWhole(dst []byte, n int64) []byte {
	if n < 0 || n > 999_999 {
		return strconv.AppendInt(dst, n, 10)
	}
	u := uint32(n)
	a, b, c, d, e, f := u/100_000, u/10_000%10, u/1000%10, u/100%10, u/10%10, u%10
	digits := [...]byte{'0' + byte(a), '0' + byte(b), '0' + byte(c), '0' + byte(d), '0' + byte(e), '0' + byte(f)}
	switch {
	case u < 10:
		return append(dst, digits[5:]...)
	case u < 100:
		return append(dst, digits[4:]...)
	case u < 1000:
		return append(dst, digits[3:]...)
	case u < 10_000:
		return append(dst, digits[2:]...)
	case u < 100_000:
		return append(dst, digits[1:]...)
	}
	return append(dst, digits[:]...)
}

func appendUUID(dst []byte, id uuid.UUID) []byte {
	return append(commerce.AppendID(append(dst, '"'), id), '"')
}

func appendTime(dst []byte, t time.Time) []byte {
	return append(t.UTC().AppendFormat(append(dst, '"'), "2006-01-02T15:04:05Z"), '"')
}

func appendTimeOrNull(dst []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(dst, "null"...)
	}
	return appendTime(dst, t)
}

func appendDate(dst []byte, d commerce.Date) []byte {
	return append(append(append(dst, '"'), d.String()...), '"')
}

// appendMetadata writes the metadata, numbers digit for digit, or null if none was set.
func appendMetadata(dst []byte, m commerce.Metadata) []byte {
	if m == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	for i := range m {
		dst = append(strictjson.AppendString(field.Comma(dst, i), m[i].Key), ':')
		if value := &m[i].Value; value.IsString {
			dst = strictjson.AppendString(dst, value.Text)
		} else {
			dst = append(dst, value.Text...)
		}
	}
	return append(dst, '}')
}
