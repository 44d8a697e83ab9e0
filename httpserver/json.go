package httpserver

import (
	"github.com/google/uuid"

	"cartd/internal/answers"
)

// appendComma writes the comma between entries of a list: nothing at index 0.
func appendComma(dst []byte, index int) []byte {
	if index == 0 {
		return dst
	}
	return append(dst, ',')
}

func appendStrings(dst []byte, list []string) []byte { return answers.Texts.Append(dst, list) }

func appendText(dst []byte, text string) []byte { return answers.TextOrNull.Append(dst, text) }

func appendString(dst []byte, text string) []byte { return answers.AppendString(dst, text) }

func appendUUID(dst []byte, id uuid.UUID) []byte { return answers.UUID.Append(dst, id) }

func appendUUIDOrNull(dst []byte, id uuid.UUID) []byte { return answers.UUIDOrNull.Append(dst, id) }
