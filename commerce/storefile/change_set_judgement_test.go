package storefile

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/internal/strictjson"
)

// Sets judged beside the store are what the import of the whole document makes of them: the merge of texts is the model.
func TestBesideIsTheImportOfTheWholeDocument(t *testing.T) { besideIsTheImport(t, 50) }

func besideIsTheImport(t *testing.T, documents int) {
	reached := map[string]int{}
	sets, sound := 0, 0
	for seed := uint64(0); seed < uint64(documents) || sound < documents && seed < 4*uint64(documents); seed++ {
		d := &dice{Rand: rand.New(rand.NewPCG(seed, 72))}
		whole, err := Parse([]byte(spelt(d.document())))
		if err != nil {
			continue
		}
		settings, state := []byte(settingsOf(t, whole)), newAssembled(t, whole.Store, settingsOf(t, whole))
		for range 6 {
			set := d.anySet(state.store)
			if set == nil {
				continue
			}
			sets++
			name := fmt.Sprintf("seed %d\ndocument %s\nset %s", seed, state.settings(), set.root)
			rule := d.secretRule(set)
			merged, mergeErr := mergedWith(settings, set, rule)
			judged, err := set.JudgeBeside(&Beside{Store: state.store, Text: state.text, OtherSecret: rule})
			if !sameFaults(t, name, err, mergeErr, reached) {
				return
			}
			if err != nil {
				continue
			}
			sound++
			state = state.after(judged)
			settings = merged.Settings
			if string(settings) != state.settings() {
				t.Fatalf("%s\n got %s\nwant %s", name, state.settings(), settings)
			}
			if !reflect.DeepEqual(state.store, indexed(*merged.Store)) {
				t.Fatalf("%s\n got %+v\nwant %+v", name, state.store, merged.Store)
			}
			expect(t, name+"\nremoved", judged.Removed, merged.Removed[0])
			expect(t, name+"\nproducts", judged.Products, len(merged.Store.Products))
		}
	}
	t.Logf("%d sets, %d of them sound", sets, sound)
	for _, message := range sorted(reached) {
		t.Logf("%6d %s", reached[message], message)
	}
	if sound < documents || sets-sound < documents {
		t.Errorf("too few of one sort to show anything")
	}
}

// anySet is a change set, or a change of a product; nil if its frame has faults, or if a batch has no secret.
func (d *dice) anySet(store *commerce.Store) *ChangeSet {
	var set *ChangeSet
	var err error
	if len(store.Products) > 0 && d.chance(30) {
		p := store.Products[d.IntN(len(store.Products))]
		set, err = ParseProductChange([]byte(d.productChange(p.ID.String())), p.ID)
	} else {
		set, err = ParseChangeSet([]byte(d.changeSet()), OperatorSettings)
	}
	if err != nil {
		return nil
	}
	for name, value := range set.root.Members() { // the merge of texts left out unknown members that are null
		if set.product != uuid.Nil && value.Kind() == strictjson.Null && !slices.Contains(ProductMembers, name) {
			return nil
		}
	}
	all, _ := set.root.Get("set")
	discounts, _ := all.Get(discountList)
	for _, discount := range discounts.Items() {
		batches, _ := discount.Get("code_batches")
		for _, batch := range batches.Items() {
			if secret, _ := batch.Get("secret"); secret.Kind() == strictjson.Null {
				return nil
			}
		}
	}
	return set
}

// secretRule is a rule that refuses some batches of the set's first discount. The merge of texts judged no further discounts then.
func (d *dice) secretRule(set *ChangeSet) BatchRule {
	other := d.IntN(8)
	return func(of *commerce.Discount, b *commerce.CodeBatch) bool {
		entries := set.set[discountList]
		return b.Number == other && len(entries) > 0 && entries[0].key == of.ID.String()
	}
}

// mergedWith merges a set into the text of a document as an import does.
func mergedWith(settings []byte, set *ChangeSet, rule BatchRule) (*Merged, error) {
	merged, err := Merge(settings, []*ChangeSet{set}, nil)
	if err == nil {
		return Merge(settings, []*ChangeSet{set}, rule)
	}
	return merged, err
}

// sameFaults fails unless two errors are the same, the faults as sets of path and message. Of several entries with one key any may be
// at fault.
func sameFaults(t *testing.T, name string, got, want error, reached map[string]int) bool {
	t.Helper()
	var faults, wanted *Faults
	if !errors.As(got, &faults) || !errors.As(want, &wanted) {
		if got != want {
			t.Errorf("%s\n got %v\nwant %v", name, got, want)
		}
		return got == want
	}
	a, b := faultSet(faults), faultSet(wanted)
	for _, f := range faults.List() {
		reached[anyNumber.ReplaceAllString(duplicateOf.ReplaceAllString(f.Message, "is a duplicate of …"), "N")]++
	}
	if !slices.Equal(a, b) {
		t.Errorf("%s\n got %s\nwant %s", name, strings.Join(a, "\n     "), strings.Join(b, "\n     "))
		return false
	}
	return true
}

var (
	anyNumber   = regexp.MustCompile(`[0-9]+`)
	duplicateOf = regexp.MustCompile(`^is a duplicate of (.*)$`)
)

// faultSet are faults in a fixed order, with those of entries that have one key together.
func faultSet(f *Faults) (all []string) {
	same := map[string]string{} // the path of another value with the key, for each
	var root func(path string) string
	root = func(path string) string {
		if other, ok := same[path]; ok && other != path {
			return root(other)
		}
		return path
	}
	for _, fault := range f.List() {
		if m := duplicateOf.FindStringSubmatch(fault.Message); m != nil {
			same[root(fault.Path)] = root(m[1])
			if _, ok := same[m[1]]; !ok {
				same[m[1]] = m[1]
			}
		} else {
			all = append(all, fault.String()+fault.Meant())
		}
	}
	groups := map[string][]string{}
	for path := range same {
		groups[root(path)] = append(groups[root(path)], path)
	}
	for _, paths := range groups {
		slices.Sort(paths)
		all = append(all, "one key: "+strings.Join(paths, ", "))
	}
	slices.Sort(all)
	return all
}

func sorted(counts map[string]int) (all []string) {
	for message := range counts {
		all = append(all, message)
	}
	slices.Sort(all)
	return all
}
