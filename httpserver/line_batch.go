package httpserver

import (
	"cartd/commerce"
	"cartd/internal/openapi"
	"cartd/internal/strictjson"
)

// lineBatchShape is the body of a batch.
var lineBatchShape = openapi.Object("LineBatch").
	Has("lines", openapi.List(lineAddShape).MinItems(1).MaxItems(commerce.MaxBatch), "Line adds, applied in this order.")

// handleLineBatch puts several products into the cart, or none: docs/api/lines.md#batch.
func handleLineBatch(s *Server, x *exchange) error {
	adds, fault := decodeLineBatch(x.body)
	for i := range adds {
		id, err := newID()
		if err != nil {
			return err
		}
		adds[i].LineID = id
	}
	return s.changeCart(x, adds, fault)
}

// decodeLineBatch reads the body of a batch. Each entry is read like a line add, and has faults of
// its own.
func decodeLineBatch(body sentBody) (commerce.AddLines, *commerce.Refusal) {
	f := decodeObject(body)
	const name = "lines"
	list, _ := f.object.Get(name)
	switch {
	case missing(list):
		f.faults.Add(name, commerce.MsgRequired(name))
	case list.Kind() != strictjson.Array:
		f.faults.Add(name, commerce.MsgArray(name))
	case list.Len() > commerce.MaxBatch:
		f.faults.Add(name, commerce.MsgMaxItems(name, commerce.MaxBatch))
	default:
		return batchedAdds(list), nil
	}
	return nil, f.refusal()
}

func batchedAdds(list strictjson.Value) commerce.AddLines {
	adds := make(commerce.AddLines, 0, commerce.MaxBatch)
	for _, item := range list.Items() {
		adds = append(adds, batchedAdd(item))
	}
	return adds
}

// batchedAdd reads an entry. An empty list counts as an empty object.
func batchedAdd(item strictjson.Value) (entry commerce.BatchedAdd) {
	switch {
	case emptyContainer(item):
		item = nil
	case item.Kind() != strictjson.Object:
		var faults commerce.Faults
		faults.Add("", commerce.MsgArray(""))
		entry.Fault = faults.Refusal()
		return entry
	}
	entry.AddLine, entry.Fault = decodeLineAdd(sentBody{value: item})
	return entry
}
