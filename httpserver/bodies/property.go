package bodies

import (
	"cartd/commerce"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// Properties is the kind of a line's texts by their keys, in the order in which these first appear. The product judges the keys and the
// texts. An empty list counts as an empty map.
var Properties = Kind[*commerce.SentProperties]{
	Schema: openapi.Map(openapi.Text.OrNull()).MaxFields(commerce.MaxProperties),
	Read: func(v value, into **commerce.SentProperties) {
		if v.Kind() != strictjson.Object && !emptyContainer(v.Value) {
			v.fault(commerce.MsgArray(v.name))
			return
		}
		*into = sentProperties(v.Value)
	},
}

func sentProperties(object strictjson.Value) *commerce.SentProperties {
	all, at := commerce.SentProperties{}, map[string]int{}
	for key, value := range object.Members() {
		i, known := at[key]
		if !known {
			i, at[key] = len(all), len(all)
			all = append(all, commerce.SentText{Key: key})
		}
		text := &all[i] // the last of a repeated key counts
		text.Text, text.NoText = "", value.Kind() != strictjson.String && value.Kind() != strictjson.Null
		if value.Kind() == strictjson.String {
			text.Text = value.Text()
		}
	}
	return &all
}
