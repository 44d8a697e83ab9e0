package storefile

import (
	"bytes"
	"errors"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// ChangeSet is a partial document: entries that it sets, each as a whole, and entries that it
// removes. Only its frame has been read: Merge judges the entries together with the rest of the
// store's document.
type ChangeSet struct {
	// Store is the store's id; zero if the set names none.
	Store uuid.UUID
	// Changed is the number of entries and settings that it sets.
	Changed int

	root     strictjson.Value
	set      [len(changeLists)][]changeEntry
	remove   [len(changeLists)]map[string]bool
	settings []changeEntry
	// product is the product whose members the set replaces; zero if it is no change of one product.
	product uuid.UUID
}

// changeEntry is an entry with its key, or a member of the settings with its name.
type changeEntry struct {
	key string
	raw strictjson.Value
}

// changeList is a list of the document that change sets change. keyed is the member that tells its
// entries apart.
type changeList struct{ name, keyed string }

// changeLists are those lists, in the order of the document.
var changeLists = [...]changeList{
	{"customer_groups", "id"}, {"tax_rates", "code"}, {"categories", "id"}, {"products", "id"}, {"discounts", "id"},
	{"shipping_methods", "id"}, {"redirects", "from"},
}

// The indexes of two of the changeLists.
const (
	productList  = 3
	discountList = 4
)

// MerchantSettings are the members of store that a merchant's system may change over HTTP.
var MerchantSettings = []string{"name", "policy", "quotes", "orders", "stock_hold_minutes"}

// OperatorSettings are the members of store that an operator may change with a change set.
var OperatorSettings = append([]string{"suspended", "modules", "prices_include_tax", "rate_limit_per_minute"}, MerchantSettings...)

// ParseChangeSet reads the frame of a change set. settings are the members of store that it may
// set. It keeps data. The error is a *Faults with every fault of the frame.
func ParseChangeSet(data []byte, settings []string) (*ChangeSet, error) {
	root, d, err := parsePart(data)
	if err != nil {
		return nil, err
	}
	c := &ChangeSet{root: root}
	o := field{r: &d.reader, raw: root}.object()
	o.required("format").code(1)
	store := o.get("store").object()
	c.Store, _ = store.get("id").id()
	store.close()
	set := o.get("set").object()
	remove := o.get("remove").object()
	for i, list := range changeLists {
		var known register[string]
		for item := range set.get(list.name).items() {
			entry := item.object()
			if key := entry.required(list.keyed).changeKey(list); key != "" {
				known.unique(item, key)
				c.set[i] = append(c.set[i], changeEntry{key, item.raw})
			}
			entry.leave()
		}
		c.Changed += len(c.set[i])
		c.remove[i] = map[string]bool{}
		for item := range remove.get(list.name).items() {
			key := item.changeKey(list)
			if known.has(key) {
				item.conflict("is set and removed")
			}
			c.remove[i][key] = true
		}
	}
	remove.close()
	c.readSettings(set.get("settings"), settings)
	set.close()
	o.close()
	if faults := d.faults(data, root); faults != nil {
		return nil, faults
	}
	return c, nil
}

// ParseProductChange reads a change of one product: the members that it replaces, each as a whole.
// null removes a member. It keeps data. Errors as of ParseChangeSet.
func ParseProductChange(data []byte, product uuid.UUID) (*ChangeSet, error) {
	root, d, err := parsePart(data)
	if err != nil {
		return nil, err
	}
	c := &ChangeSet{root: root, product: product, Changed: 1}
	o := field{r: &d.reader, raw: root}.object()
	if id := o.get("id"); !id.absent() {
		if sent, ok := id.id(); ok && sent != product {
			id.conflict("is not the id of the path")
		}
	}
	o.leave()
	if faults := d.faults(data, root); faults != nil {
		return nil, faults
	}
	return c, nil
}

// parsePart begins to read a text that is no whole document.
func parsePart(data []byte) (strictjson.Value, *document, error) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	root, err := strictjson.Parse(data)
	if err != nil {
		var syntax *strictjson.SyntaxError
		errors.As(err, &syntax) // strictjson.Parse returns no other error
		return nil, nil, syntaxFault(data, syntax)
	}
	return root, newDocument(root), nil
}

// changeKey reads the key of an entry; empty if it has a fault.
func (f field) changeKey(list changeList) string {
	if list.keyed != "id" {
		return f.text()
	}
	id, ok := f.id()
	if !ok {
		return ""
	}
	return id.String()
}

// keyOf returns the key of an entry of a document without faults.
func (list changeList) keyOf(entry strictjson.Value) string {
	value, _ := entry.Get(list.keyed)
	text := value.Text()
	if id, ok := commerce.ParseID(text); ok && list.keyed == "id" {
		return id.String()
	}
	return text
}

// readSettings reads the members of store that the set replaces. null gives a member its default.
func (c *ChangeSet) readSettings(f field, allowed []string) {
	o := f.object()
	defer o.close()
	for _, name := range allowed {
		o.get(name)
	}
	for _, m := range o.members {
		if m.asked {
			c.settings = append(c.settings, changeEntry{string(m.name), m.value})
		}
	}
	c.Changed += len(c.settings)
}
