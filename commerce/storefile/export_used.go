package storefile

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// withUsed returns settings in which each discount has the current number of orders that used it.
// An import of the document elsewhere continues from that number. Settings that already have these
// numbers are returned unchanged.
func withUsed(settings []byte, used map[uuid.UUID]int64) ([]byte, error) {
	root, err := strictjson.Parse(settings)
	if err != nil {
		return nil, err
	}
	list, _ := root.Get("discounts")
	var out []byte
	from := 0
	for _, discount := range list.Items() {
		id, _ := discount.Get("id")
		known, _ := commerce.ParseID(id.Text())
		count, ok := used[known]
		was, there := discount.Get("used")
		switch {
		case !ok || string(was) == strconv.FormatInt(count, 10) || !there && count == 0:
			continue
		case there:
			at := was.Offset(root)
			out = strconv.AppendInt(append(out, root[from:at]...), count, 10)
			from = at + len(was)
		default:
			at, open, after := usedPosition(discount, root)
			out = append(append(append(out, root[from:at]...), open...), `"used":`...)
			out = append(strconv.AppendInt(out, count, 10), after...)
			from = at
		}
	}
	return slices.Concat(out, root[from:]), nil
}

// usedPosition is the position of the member among the sorted members of a discount, and the
// separators in front of it and after it.
func usedPosition(discount, root strictjson.Value) (at int, open, after string) {
	for name := range discount.Pairs() {
		if bytes.Compare(name, []byte(`"used"`)) > 0 {
			return name.Offset(root), "", ","
		}
	}
	return discount.Offset(root) + len(discount) - 1, ",", ""
}
