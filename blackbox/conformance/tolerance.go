package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode"
)

// tolerated is a body in its strict form: no space around texts, {} for an empty map that was
// written [], and {} for an empty body. Every route accepts the other forms; the document does not
// repeat them.
func tolerated(body []byte) []byte {
	if len(bytes.TrimSpace(body)) == 0 {
		return []byte("{}")
	}
	var whole any
	if json.Unmarshal(body, &whole) != nil {
		return body
	}
	plain, err := json.Marshal(plainly(whole))
	if err != nil {
		return body
	}
	return plain
}

func plainly(value any) any {
	switch value := value.(type) {
	case string:
		if text := strings.TrimFunc(value, invisible); text != "" {
			return text
		}
		return nil
	case []any:
		if len(value) == 0 {
			return map[string]any{}
		}
		for i, item := range value {
			value[i] = plainly(item)
		}
	case map[string]any:
		for name, item := range value {
			list, isList := item.([]any)
			if emptyList := isList && len(list) == 0 && name != "metadata" && name != "dimensions"; !emptyList && !strings.Contains(name, "password") {
				value[name] = plainly(item)
			}
		}
	}
	return value
}

func invisible(r rune) bool {
	return unicode.IsSpace(r) || r >= '\u200b' && r <= '\u200f' || r == '\u2060' || r == '\ufeff'
}

// outOfRange reports whether a text has a number that no float64 holds.
func outOfRange(text []byte) bool {
	var whole any
	var fault *json.UnmarshalTypeError
	return errors.As(json.Unmarshal(text, &whole), &fault)
}
