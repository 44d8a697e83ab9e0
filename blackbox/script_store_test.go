package blackbox_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// scriptNames are the names in braces of the base store's records.
var scriptNames = map[string]string{
	"hammer": hammer, "nails": nails, "drill": drill, "gloves": gloves, "boots": boots, "cable": cable, "crane": crane, "blind": blind,
	"mystery": mystery, "relic": relic, "bulk": bulk, "sample": sample, "paper": paper, "booklet": booklet, "gold": gold, "unknown": unknownID,
	"glovesS": glovesS, "glovesM": glovesM, "glovesL": glovesL, "glovesXL": glovesXL, "bootsOne": bootsOne,
	"trade": groupTrade, "byquote": groupQuote, "ada": ada, "tess": tess, "bob": bob, "quinn": quinn, "carl": carl,
	"parcel": parcel, "collection": collection, "tools": tools, "handy": handy, "garden": garden, "nothing": nothing,
}

// scriptTokens are the customers' tokens. In a document each becomes the script's own.
var scriptTokens = map[string]string{
	"ada": tokenAda, "expired": tokenExpired, "tess": tokenTess, "bob": tokenBob, "quinn": tokenQuinn, "carl": tokenCarl,
}

// scriptChanges are the named changes of a store block.
var scriptChanges = map[string]func(object){
	"shipping": withShipping, "stock": withStock, "discounts": withDiscounts, "collected": collected, "desk": desk, "unapproved": unapproved,
	"categories": withCategories,
	"office":     office, "managed": managed, "elsewhere": elsewhere, "limit": withLimit, "turned": turned, "full_book": fullBook, "long_names": longSKUs,
	"ex_policy": exPolicy,
	"quotes":    setting("quotes", quoteSettings()),
}

// writeDocuments writes the documents of a script's stores and names their ids, keys and tokens.
func (s *script) writeDocuments(t *testing.T) {
	s.names["dir"] = t.TempDir()
	var stores []*block
	for _, b := range s.blocks {
		if word, _, _ := strings.Cut(b.lines[0], " "); word == "store" {
			stores = append(stores, b)
		}
	}
	isMain := func(b *block) bool { _, is := storeName(b); return is }
	if !slices.ContainsFunc(stores, isMain) {
		stores = append(stores, &block{place: s.file, lines: []string{"store"}})
	}
	for i, b := range stores {
		name, main := storeName(b)
		id := fmt.Sprintf("e5000000-0000-4000-8000-%09d%03d", s.number, i)
		at := "@" + name
		words := strings.Fields(b.lines[0])[1:]
		file := name + ".json"
		if main {
			at, file, s.main = "", "store.json", id
		} else {
			words = words[1:]
		}
		s.keep("store"+at, id)
		s.writeDocument(t, b, id, file, words)
		s.documents = append(s.documents, filepath.Join(s.names["dir"], file))
	}
}

// storeName returns the name of a further store. main is true for the script's own, which has none.
func storeName(b *block) (name string, main bool) {
	words := strings.Fields(b.lines[0])
	if len(words) > 1 && scriptChanges[words[1]] == nil {
		return words[1], false
	}
	return "", true
}

// writeDocument writes a changed document of the store with an id.
func (s *script) writeDocument(t *testing.T, b *block, id, file string, changes []string) {
	t.Helper()
	document := base()
	setting("id", id)(document)
	for _, name := range changes {
		change := scriptChanges[name]
		if change == nil {
			t.Fatalf("%s: there is no change %q", b.place, name)
		}
		change(document)
	}
	var tree any
	remade, err := json.Marshal(document)
	if err == nil {
		err = json.Unmarshal(remade, &tree)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range joined(b.lines[1:]) {
		words := strings.SplitN(line, " ", 3)
		var value any
		if len(words) != 3 || json.Unmarshal([]byte(s.filled(b, words[2])), &value) != nil {
			t.Fatalf("%s: %q is not PATH = JSON", b.place, line)
		}
		if tree, err = s.changed(tree, strings.Split(words[0], "."), words[1], value); err != nil {
			t.Fatalf("%s: %s: %v", b.place, line, err)
		}
	}
	s.ownSecrets(tree.(object), id)
	text, err := json.MarshalIndent(tree, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(s.names["dir"], file), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// joined joins lines that begin with a blank to the one before.
func joined(lines []string) (all []string) {
	for _, line := range lines {
		if strings.HasPrefix(line, " ") && len(all) > 0 {
			all[len(all)-1] += line
		} else {
			all = append(all, line)
		}
	}
	return all
}

// ownSecrets makes the keys of a document those of one store only, and names them and the tokens.
func (s *script) ownSecrets(document object, id string) {
	at := ""
	for name, value := range s.names {
		if value == id {
			at = strings.TrimPrefix(name, "store")
		}
	}
	keys, _ := document["api_keys"].(list)
	for _, row := range keys {
		entry := row.(object)
		if text, is := entry["key"].(string); is {
			entry["key"] = fmt.Sprintf("%s-%s", text, id[24:])
			s.names[fmt.Sprintf("key %v%s", entry["name"], at)] = entry["key"].(string)
		}
	}
	for name, text := range scriptTokens {
		s.names["token "+name] = text
	}
}

// changed returns a tree with one member or element changed.
func (s *script) changed(tree any, path []string, operator string, value any) (any, error) {
	if len(path) == 0 {
		return s.applied(tree, operator, value)
	}
	switch node := tree.(type) {
	case nil:
		return s.changed(object{}, path, operator, value)
	case object:
		member, err := s.changed(node[path[0]], path[1:], operator, value)
		node[path[0]] = member
		return node, err
	case list:
		id := strings.Trim(path[0], "{}")
		if named, is := s.names[id]; is {
			id = named
		}
		for i, row := range node {
			entry, is := row.(object)
			if is && (entry["id"] == id || entry["name"] == id) || strconv.Itoa(i) == id {
				element, err := s.changed(row, path[1:], operator, value)
				node[i] = element
				return node, err
			}
		}
	}
	return tree, fmt.Errorf("there is no %q", path[0])
}

// applied returns a value after an operator of a store block.
func (s *script) applied(old any, operator string, value any) (any, error) {
	all, is := old.(list)
	switch operator {
	case "=":
		return value, nil
	case "+=":
		if is || old == nil {
			return append(all, value), nil
		}
	case "-=":
		before := len(all)
		all = slices.DeleteFunc(all, func(row any) bool {
			entry, is := row.(object)
			return is && entry["id"] == value || !is && row == value
		})
		if len(all) < before {
			return all, nil
		}
	}
	return old, fmt.Errorf("%s cannot be applied to %v", operator, old)
}
