package answers

import (
	"slices"

	"cartd/commerce"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// ErrorCode is a message of errors for programs. Its members follow from the table of the messages.
var ErrorCode = Kind[*commerce.Message]{Schema: errorCodeSchema(), Append: appendErrorCode}

func errorCodeSchema() *openapi.Schema {
	var codes []string
	parameters := map[string]bool{"code": true}
	schema := openapi.Object("ErrorCode")
	for _, row := range commerce.FieldMessages() {
		if !slices.Contains(codes, row.Code) {
			codes = append(codes, row.Code)
		}
	}
	schema = schema.Has("code", openapi.Names(codes...), "The list of docs/api/errors.md, with the parameters of each.")
	for _, row := range commerce.FieldMessages() {
		for _, p := range row.Params {
			if parameters[p.Name] {
				continue
			}
			parameters[p.Name] = true
			if p.IsText {
				schema = schema.May(p.Name, openapi.Text, "")
			} else {
				schema = schema.May(p.Name, openapi.Number, "")
			}
		}
	}
	return schema.May("unit", openapi.Names("characters", "bytes", "items"), "What a maximum or minimum counts; absent if it is a number.")
}

func appendErrorCode(dst []byte, m *commerce.Message) []byte {
	row := m.Row()
	dst = strictjson.AppendString(append(dst, `{"code":`...), row.Code)
	for i, p := range row.Params {
		dst = append(strictjson.AppendString(append(dst, ','), p.Name), ':')
		if p.IsText {
			dst = strictjson.AppendString(dst, m.Value(i))
		} else {
			dst = append(dst, m.Value(i)...)
		}
	}
	if row.Unit != "" {
		dst = strictjson.AppendString(append(dst, `,"unit":`...), row.Unit)
	}
	return append(dst, '}')
}
