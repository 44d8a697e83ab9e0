package storefile

import (
	"cartd/commerce"
	"cartd/internal/strictjson"
)

// SettingsIn reads the member store of the text of a page; nil if the page does not have it. What refers to other
// entries, as the groups of quotes do, is read as absent if they are not there.
func SettingsIn(page []byte) (*commerce.Store, error) {
	root, err := strictjson.Parse(page)
	if err != nil {
		return nil, err
	}
	settings, there := root.Get(storeMember)
	if !there {
		return nil, nil
	}
	d, store := newDocument(settings), &commerce.Store{}
	d.kept = true
	storeObject.Read(value{d: d, raw: settings}, store)
	return store, nil
}
