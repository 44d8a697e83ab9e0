package storefile

import "slices"

// schemaWriter writes schemas in the words of JSON Schema and gathers those with a
// name as definitions, in the order in which they are needed first.
type schemaWriter struct {
	definitions tree
	written     map[string]bool
}

// slot writes what may stand in a place.
func (w *schemaWriter) slot(s *slot) tree {
	var text tree
	switch {
	case s.holds.name == "":
		text = w.schema(s.holds, s.nullable)
	case s.nullable:
		text = tree{{"anyOf", []tree{w.reference(s.holds), {{"type", "null"}}}}}
	default:
		text = w.reference(s.holds)
	}
	if s.nullable && s.absent != nil {
		text = append(text, entry{"default", s.absent})
	}
	return text
}

// reference writes the name of a schema that has one, and sees that it is defined.
func (w *schemaWriter) reference(s *schema) tree {
	if !w.written[s.name] {
		w.written[s.name] = true
		w.definitions = append(w.definitions, entry{s.name, nil})
		place := len(w.definitions) - 1
		w.definitions[place].value = w.schema(s, false)
	}
	return tree{{"$ref", "#/$defs/" + s.name}}
}

// schema writes a schema out; one of an object with forms is never nullable.
func (w *schemaWriter) schema(s *schema, nullable bool) (text tree) {
	var kind any = s.kind
	enum := s.enum
	if nullable {
		kind = []string{s.kind, "null"}
		enum = append(slices.Clip(enum), nil)
	}
	if s.is != "" {
		text = append(text, entry{"description", s.is})
	}
	text = append(text, entry{"type", kind})
	switch {
	case s.enum != nil:
		return append(text, entry{"enum", enum})
	case s.kind == "string" && s.least > 0:
		return append(text, entry{"minLength", s.least})
	case s.kind == "string":
		return append(text, patterns(s.patterns)...)
	case s.kind == "integer":
		return append(text, entry{"minimum", s.low}, entry{"maximum", s.high})
	case s.kind == "array":
		return append(text, w.items(s)...)
	case s.names != nil:
		return append(text, entry{"propertyNames", w.reference(s.names)}, entry{"additionalProperties", w.slot(s.values)})
	case s.kind == "object":
		return append(text, w.object(s)...)
	}
	return text
}

// patterns writes the patterns that a text has to match.
func patterns(list []string) (text tree) {
	if len(list) == 1 {
		return tree{{"pattern", list[0]}}
	}
	var all []tree
	for _, pattern := range list {
		all = append(all, tree{{"pattern", pattern}})
	}
	if all == nil {
		return nil
	}
	return tree{{"allOf", all}}
}

func (w *schemaWriter) items(s *schema) tree {
	text := tree{{"items", w.slot(s.items)}}
	if s.least > 0 {
		text = append(text, entry{"minItems", s.least})
	}
	if s.most > 0 {
		text = append(text, entry{"maxItems", s.most})
	}
	return text
}

func (w *schemaWriter) object(s *schema) tree {
	var properties tree
	var required []string
	for _, p := range s.properties {
		properties = append(properties, entry{p.name, w.slot(p.slot)})
		if !p.slot.nullable {
			required = append(required, p.name)
		}
	}
	text := tree{{"properties", properties}, {"additionalProperties", false}}
	if required != nil {
		text = append(text, entry{"required", required})
	}
	if s.forms != nil {
		var forms []tree
		for i := range s.forms {
			forms = append(forms, s.forms[i].tree())
		}
		text = append(text, entry{"oneOf", forms})
	}
	if s.never != nil {
		text = append(text, entry{"not", s.never.tree()})
	}
	return text
}

// tree writes a variant. A member that is null is not there.
func (v *variant) tree() tree {
	var required []string
	var properties tree
	if v.says != "" {
		says := []any{v.says}
		if v.always {
			says = append(says, nil)
		} else {
			required = append(required, v.decider)
		}
		properties = append(properties, entry{v.decider, tree{{"enum", says}}})
	}
	for _, name := range v.requires {
		required = append(required, name)
		properties = append(properties, entry{name, tree{{"not", tree{{"type", "null"}}}}})
	}
	for _, name := range v.refuses {
		properties = append(properties, entry{name, tree{{"type", []string{"null", "array"}}, {"maxItems", 0}}})
	}
	text := tree{{"properties", properties}}
	if required != nil {
		text = append(text, entry{"required", required})
	}
	return text
}
