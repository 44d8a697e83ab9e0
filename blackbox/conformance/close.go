package conformance

import (
	"encoding/json"
	"strings"
)

// closed is the document with every shape of an answer closed: an undeclared member becomes a
// fault. The document itself leaves shapes open, so that members can be added.
func closed(text []byte) ([]byte, error) {
	var whole map[string]any
	if err := json.Unmarshal(text, &whole); err != nil {
		return nil, err
	}
	c := closing{schemas: at(whole, "components", "schemas"), done: map[string]bool{}}
	for _, item := range at(whole, "paths") {
		for _, operation := range item.(map[string]any) {
			c.walk(operation.(map[string]any)["responses"])
		}
	}
	c.walk(at(whole, "components")["responses"])
	return json.Marshal(whole)
}

type closing struct {
	schemas map[string]any
	done    map[string]bool
}

// walk closes every shape in a part of the document, and the shapes that the part refers to.
func (c *closing) walk(part any) {
	switch part := part.(type) {
	case []any:
		for _, item := range part {
			c.walk(item)
		}
	case map[string]any:
		if to, is := part["$ref"].(string); is {
			if name, schema := strings.CutPrefix(to, "#/components/schemas/"); schema && !c.done[name] {
				c.done[name] = true
				c.walk(c.schemas[name])
			}
		}
		if _, is := part["properties"].(map[string]any); is && part["type"] != nil && part["additionalProperties"] == nil {
			part["additionalProperties"] = false
		}
		for name, item := range part {
			if name != "examples" && name != "example" {
				c.walk(item)
			}
		}
	}
}

func at(part map[string]any, names ...string) map[string]any {
	for _, name := range names {
		part, _ = part[name].(map[string]any)
	}
	return part
}
