package storefile

import (
	"bytes"
	"errors"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// ChangeSet is a partial document: entries that it sets, each as a whole, and entries that it
// removes. Only its frame has been read: JudgeBeside judges the entries together with the rest of the
// store's document.
type ChangeSet struct {
	// Store is the store's id; zero if the set names none.
	Store uuid.UUID
	// Changed is the number of entries and settings that it sets.
	Changed int

	root     strictjson.Value
	set      map[string][]changeEntry // by list
	remove   map[string]map[string]bool
	settings []changeEntry
	// product is the product whose members the set replaces; zero if it is no change of one product.
	product uuid.UUID
}

// Sets reports whether the set sets entries of a list.
func (c *ChangeSet) Sets(list string) bool { return len(c.set[list]) > 0 }

// changeEntry is an entry with its key, or a member of the settings with its name.
type changeEntry struct {
	key string
	raw strictjson.Value
}

// changeLists are the lists that change sets change, those of the settings whose entries have a key.
var changeLists = func() (lists []*outline) {
	for i := range documentOutline.members {
		if list := &documentOutline.members[i]; list.key() != nil && !list.has(apart) {
			lists = append(lists, list)
		}
	}
	return lists
}()

// ChangeLists are the names of the lists that change sets change.
var ChangeLists = func() (names []string) {
	for _, list := range changeLists {
		names = append(names, list.name)
	}
	return names
}()

// MerchantSettings are the members of store that a merchant's system may change over HTTP, OperatorSettings those that an operator may
// change with a change set.
var (
	MerchantSettings = settingsOutline.namesWith(byMerchant)
	OperatorSettings = settingsOutline.namesWith(byMerchant | byOperator)
)

// ParseChangeSet reads the frame of a change set. settings are the members of store that it may
// set. It keeps data. The error is a *Faults with every fault of the frame.
func ParseChangeSet(data []byte, settings []string) (*ChangeSet, error) {
	root, d, err := parsePart(data)
	if err != nil {
		return nil, err
	}
	c := &ChangeSet{root: root, set: map[string][]changeEntry{}, remove: map[string]map[string]bool{}}
	o := value{d: d, raw: root}.open()
	o.required("format").code(1)
	store := o.get("store").open()
	c.Store, _ = store.get("id").id()
	store.close()
	set := o.get("set").open()
	remove := o.get("remove").open()
	for _, list := range changeLists {
		var known register[string]
		for item := range set.get(list.name).items() {
			entry := item.open()
			if key := entry.required(list.key().name).changeKey(list); key != "" {
				known.unique(item, key)
				c.set[list.name] = append(c.set[list.name], changeEntry{key, item.raw})
			}
			entry.leave()
		}
		c.Changed += len(c.set[list.name])
		c.remove[list.name] = map[string]bool{}
		for item := range remove.get(list.name).items() {
			key := item.changeKey(list)
			if known.has(key) {
				item.conflict("is set and removed")
			}
			c.remove[list.name][key] = true
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
	o := value{d: d, raw: root}.open()
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

// parsePart begins to read a document or a change set.
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
func (f value) changeKey(list *outline) string {
	if list.key().has(textKey) {
		return list.key().normal(f.text())
	}
	id, ok := f.id()
	if !ok {
		return ""
	}
	return id.String()
}

// normal is the form in which the texts of a key are compared.
func (o *outline) normal(text string) string {
	if o.has(pathKey) {
		return commerce.PathKey(text)
	}
	return text
}

// keyOf returns the key of an entry of a document without faults.
func (o *outline) keyOf(entry strictjson.Value) string {
	key := o.key()
	value, _ := entry.Get(key.name)
	text := key.normal(value.Text())
	if id, ok := commerce.ParseID(text); ok && key.has(identity) {
		return id.String()
	}
	return text
}

// readSettings reads the members of store that the set replaces. null gives a member its default.
func (c *ChangeSet) readSettings(f value, allowed []string) {
	o := f.open()
	defer o.close()
	for _, name := range allowed {
		o.get(name)
	}
	for _, m := range o.d.members(o.object) {
		if m.asked {
			c.settings = append(c.settings, changeEntry{string(m.name), m.value})
		}
	}
	c.Changed += len(c.settings)
}
