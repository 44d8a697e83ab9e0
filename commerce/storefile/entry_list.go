package storefile

import (
	"bytes"
	"slices"
	"strings"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// SettingsList is the list whose only entry has the settings that a merchant's system may change.
const SettingsList = "settings"

// EntryList is one of the lists of a store's document that a change set can set.
type EntryList struct {
	paged *PagedStore
	list  *storedList
	pages *PageFinder
}

// List returns a list of the document; false if no change set has it.
func (p *PagedStore) List(name string) (*EntryList, bool) {
	if name == SettingsList {
		return &EntryList{p, listNamed(storeMember), p.finder()}, true
	}
	if !slices.Contains(ChangeLists, name) {
		return nil, false
	}
	return &EntryList{p, listNamed(name), p.finder()}, true
}

// Len is the number of entries, Key the key of one.
func (l *EntryList) Len() int          { return l.list.len(l.paged.Store) }
func (l *EntryList) Key(at int) string { return l.list.key(l.paged.Store, at) }

// Find is the place of the entry with a key, as a path has it; -1 if there is none.
func (l *EntryList) Find(key string) int {
	if l.list.id != nil {
		id, ok := commerce.ParseID(key)
		if !ok {
			return -1
		}
		key = id.String()
	}
	switch l.list.name {
	case storeMember:
		return 0
	case "redirects":
		key = commerce.PathKey(key)
	}
	return l.pages.index(l.list, key)
}

// Matches reports whether the name or a SKU of an entry has a part, which is normalized. An entry without a name is found by its key.
func (l *EntryList) Matches(at int, part string) bool {
	has := func(text string) bool { return text != "" && strings.Contains(commerce.NormalizeText(text), part) }
	switch e := l.entry(at).(type) {
	case *commerce.Product:
		return has(e.Name) || has(e.SKU) ||
			slices.ContainsFunc(e.Variants, func(v commerce.Variant) bool { return has(v.Name) || has(v.SKU) })
	case *commerce.Category:
		return has(e.Name)
	case *commerce.CustomerGroup:
		return has(e.Name)
	case *commerce.Discount:
		return has(e.Name) || has(e.Code)
	case *commerce.ShippingMethod:
		return has(e.Name)
	}
	return has(l.Key(at))
}

func (l *EntryList) entry(at int) any {
	if l.list.entry == nil {
		return nil
	}
	return l.list.entry(l.paged.Store, at)
}

// Page is the page that has an entry.
func (l *EntryList) Page(at int) PageName {
	return l.paged.Table.Pages[l.pages.page(l.pages.before(l.list.name)+at)]
}

// ListedEntry is an entry with its tag. Text is canonical, without secrets.
type ListedEntry struct {
	Tag  string
	Text []byte
}

// Items are the items of the stock that an entry has.
func (l *EntryList) Items(at int) (items []uuid.UUID) {
	p, is := l.entry(at).(*commerce.Product)
	if !is {
		return nil
	}
	items = append(items, p.ID)
	for i := range p.Variants {
		items = append(items, p.Variants[i].ID)
	}
	return items
}

// Discount is the discount of an entry; zero if it is another one.
func (l *EntryList) Discount(at int) uuid.UUID {
	if d, is := l.entry(at).(*commerce.Discount); is {
		return d.ID
	}
	return uuid.Nil
}

// Read returns an entry of a page's text as an export writes it, with the current numbers. Errors: of a text that cannot be read.
func (l *EntryList) Read(at int, entries []Entry, current *Export) (e ListedEntry, err error) {
	key := l.Key(at)
	found := slices.IndexFunc(entries, func(e Entry) bool { return e.List == l.list.name && e.Key == key })
	if found < 0 {
		return e, &MissingTexts{Entries: []EntryKey{{l.list.name, key}}}
	}
	text := entries[found].Text
	e.Tag = EntryTag(text)
	of := *current
	of.WithoutSecrets, of.component = true, l.paged.isComponent
	start, end := `{"`+l.list.name+`":`+listStart(l.list.name), pageEnd(l.list.name)
	whole, err := of.withCurrent(slices.Concat([]byte(start), text, []byte(end)))
	if err != nil {
		return e, err
	}
	e.Text = whole[len(start) : len(whole)-len(end)]
	if l.list.name == storeMember {
		e.Text, err = merchantSettings(e.Text)
	}
	return e, err
}

// merchantSettings are the members of the settings that a merchant's system may change.
func merchantSettings(store []byte) ([]byte, error) {
	root, err := strictjson.Parse(store)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteByte('{')
	for name, value := range root.Members() {
		if !slices.Contains(MerchantSettings, name) {
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		out.Write(AppendText(nil, name))
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}
