package storefile

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/google/uuid"

	"cartd/commerce"
)

// PagedStore is a store as it was read from the pages of its document. It is never changed: Assemble makes the next
// one, which has all entries in common with it whose pages, or texts, are the same. The zero value has no pages.
type PagedStore struct {
	Table Table
	// Store is indexed, and has the uses and the operator's settings of the document.
	Store *commerce.Store
	// pages are those of the table, in its order.
	pages []assembledPage
	taxes map[string]*commerce.TaxRate

	// components are the products that made-to-measure ones use, found when they are asked for first.
	findComponents sync.Once
	components     map[uuid.UUID]bool
}

// isComponent reports whether a made-to-measure product uses a product.
func (p *PagedStore) isComponent(id uuid.UUID) bool {
	p.findComponents.Do(func() {
		s := stored{store: p.Store}
		s.isComponent(id)
		p.components = s.components
	})
	return p.components[id]
}

// assembledPage says what is in a page.
type assembledPage struct {
	entries int32
	bytes   int32 // of the text
}

// Bytes is the length of the document's text, without what separates the pages.
func (p *PagedStore) Bytes() (n int) {
	for i := range p.pages {
		n += int(p.pages[i].bytes)
	}
	return n
}

// Lacks are the pages of a table whose texts Assemble needs.
func (p *PagedStore) Lacks(next *Table) (names []PageName) {
	known := p.byName()
	for _, name := range next.Pages {
		if _, has := known[name]; !has {
			names = append(names, name)
		}
	}
	return names
}

func (p *PagedStore) byName() map[PageName]int {
	known := make(map[PageName]int, len(p.Table.Pages))
	for i, name := range p.Table.Pages {
		known[name] = i
	}
	return known
}

// Assemble returns the store of another table of the document: also of a node's own commit, whose pages it knows. text
// returns the texts of the pages that Lacks names, and its error is returned. Other errors mean that a page cannot be
// read; pages are read, not judged.
//
// Entries of pages that stay, and products of new pages that are equal to those before, keep their pointers. A list is
// the same slice if all its entries are equal to those before. So commerce.Store.IndexAfter and catalogue.Follow find what differs.
func (p *PagedStore) Assemble(next Table, text func(PageName) ([]byte, error)) (*PagedStore, error) {
	if err := readRest(next.Rest); err != nil {
		return nil, err
	}
	before := p.Store
	if before == nil {
		before = &commerce.Store{}
	}
	a := assembly{before: before, old: p.parts(), made: &PagedStore{Table: next}, texts: map[string]string{}}
	known := p.byName()
	for _, name := range next.Pages {
		if i, has := known[name]; has {
			a.add(&a.old[i], p.pages[i])
			continue
		}
		content, err := text(name)
		if err == nil {
			err = a.read(content)
		}
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", name, err)
		}
	}
	return a.made, a.finish(p.taxes)
}

// assembly is the making of a PagedStore.
type assembly struct {
	before *commerce.Store
	old    []pagePart // of the pages before
	made   *PagedStore
	parts  []*pagePart
	// texts has each attribute's name and value of new pages once.
	texts map[string]string
	// fresh are the products that before does not have so.
	fresh []*commerce.Product
}

// pagePart are the entries of a page, as lists of a store. settings is the store that has those of the page; nil if it has none.
type pagePart struct {
	commerce.Store
	settings *commerce.Store
}

func (a *assembly) add(part *pagePart, page assembledPage) {
	a.parts, a.made.pages = append(a.parts, part), append(a.made.pages, page)
}

// pageObject is the text of a page: a document without keys and customers.
var pageObject = objectKind("page", slices.DeleteFunc(slices.Clone(documentRows), isApart)...)

// isApart reports whether a row of a document is no part of its pages.
func isApart(r row[*Document]) bool {
	return len(r.Described) > 0 && r.Described[0].Schema.NotNull().Marks()&apart != 0
}

// readPage reads the text of a page, or of Table.Rest.
func readPage(text []byte, texts map[string]string) (*pagePart, error) {
	root, d, err := parsePart(text)
	if err != nil {
		return nil, err
	}
	d.kept, d.page, d.texts = true, true, texts
	part := new(pagePart)
	read := &Document{Store: &part.Store}
	pageObject.Read(value{d: d, raw: d.root}, read)
	if faults := d.faults(text, root); faults != nil {
		return nil, faults
	}
	if _, has := root.Get(storeMember); has {
		part.settings = &part.Store
	}
	return part, nil
}

// readRest reads Table.Rest.
func readRest(text []byte) error {
	part, err := readPage(text, map[string]string{})
	if err == nil && part.entries() > 0 {
		err = fmt.Errorf("the table has %d entries without a page", part.entries())
	}
	return err
}

// read reads a new page. Products that are equal to those before are these.
func (a *assembly) read(text []byte) error {
	part, err := readPage(text, a.texts)
	if err != nil {
		return err
	}
	for i, p := range part.Products {
		if was := a.before.Product(p.ID); was != nil && equalProducts(was, p) {
			part.Products[i] = was
			continue
		}
		a.fresh = append(a.fresh, p)
	}
	a.add(part, assembledPage{int32(part.entries()), int32(len(text))})
	return nil
}

// equalProducts reports whether a product that was read is equal to one that is ready, whose tax rate and engine it takes.
func equalProducts(ready, read *commerce.Product) bool {
	if read.Tax.Code == ready.Tax.Code {
		read.Tax = ready.Tax
	}
	if read.Configurator != nil && ready.Configurator != nil {
		read.Configurator.Engine = ready.Configurator.Engine
	}
	return reflect.DeepEqual(read, ready)
}

// finish makes the store of the parts.
func (a *assembly) finish(taxes map[string]*commerce.TaxRate) error {
	var s commerce.Store
	for _, part := range a.parts {
		if part.settings != nil {
			s = *part.settings
		}
	}
	if s.ID == uuid.Nil {
		return errors.New("no page has the settings")
	}
	s.Secret = a.before.Secret
	for i := range partLists {
		partLists[i].join(a.before, &s, a.parts)
	}
	if a.made.taxes = taxes; len(s.TaxRates) == 0 || len(a.before.TaxRates) == 0 || &s.TaxRates[0] != &a.before.TaxRates[0] {
		a.made.taxes = map[string]*commerce.TaxRate{}
		for _, rate := range s.TaxRates {
			if was := taxes[rate.Code]; was != nil && reflect.DeepEqual(*was, rate) {
				a.made.taxes[rate.Code] = was // its products stay
			} else {
				a.made.taxes[rate.Code] = &rate
			}
		}
		a.taxAgain(&s)
	}
	if err := a.tax(&s); err != nil {
		return err
	}
	makeEngines(a.fresh)
	s.IndexAfter(a.before)
	a.made.Store = &s
	return nil
}

// taxAgain copies the products whose tax rate has changed.
func (a *assembly) taxAgain(s *commerce.Store) {
	fresh := map[*commerce.Product]bool{}
	for _, p := range a.fresh {
		fresh[p] = true
	}
	for i, p := range s.Products {
		if a.made.taxes[p.Tax.Code] != p.Tax && !fresh[p] {
			taxed := *p
			s.Products[i] = &taxed
			a.fresh = append(a.fresh, &taxed)
		}
	}
}

// tax gives new products, and shipping methods, the rates of their codes.
func (a *assembly) tax(s *commerce.Store) error {
	for _, p := range a.fresh {
		rate, known := a.made.taxes[p.Tax.Code]
		if !known {
			return fmt.Errorf("product %s: there is no tax rate %q", p.ID, p.Tax.Code)
		}
		p.Tax = rate
	}
	methods := slices.Clone(s.ShippingMethods)
	for i := range methods {
		rate, known := a.made.taxes[methods[i].Tax.Code]
		if !known {
			return fmt.Errorf("shipping method %s: there is no tax rate %q", methods[i].ID, methods[i].Tax.Code)
		}
		methods[i].Tax = rate
	}
	if !reflect.DeepEqual(methods, s.ShippingMethods) {
		s.ShippingMethods = methods
	}
	return nil
}

// partList is a list of a document, of which pages have parts.
type partList struct {
	len func(s *commerce.Store) int
	// cut gives the part the entries of s from index from to index to.
	cut func(s *commerce.Store, part *pagePart, from, to int)
	// join gives s the entries of the parts.
	join func(before, s *commerce.Store, parts []*pagePart)
}

// partLists are in the order of a canonical document.
var partLists = []partList{
	listOfParts(func(s *commerce.Store) *[]commerce.Category { return &s.Categories }, deepEqual),
	listOfParts(func(s *commerce.Store) *[]commerce.CustomerGroup { return &s.Groups }, deepEqual),
	listOfParts(func(s *commerce.Store) *[]commerce.Discount { return &s.Discounts }, deepEqual),
	listOfParts(func(s *commerce.Store) *[]*commerce.Product { return &s.Products }, func(_, _ []*commerce.Product) bool { return false }),
	listOfParts(func(s *commerce.Store) *[]commerce.Redirect { return &s.Redirects }, deepEqual),
	listOfParts(func(s *commerce.Store) *[]commerce.ShippingMethod { return &s.ShippingMethods }, deepEqual),
	{
		len:  func(*commerce.Store) int { return 1 },
		cut:  func(s *commerce.Store, part *pagePart, _, _ int) { part.settings = s },
		join: func(_, _ *commerce.Store, _ []*pagePart) {},
	},
	listOfParts(func(s *commerce.Store) *[]commerce.TaxRate { return &s.TaxRates }, deepEqual),
}

func deepEqual[E any](a, b []E) bool { return reflect.DeepEqual(a, b) }

func listOfParts[E any](of func(s *commerce.Store) *[]E, equal func(a, b []E) bool) partList {
	return partList{
		len: func(s *commerce.Store) int { return len(*of(s)) },
		cut: func(s *commerce.Store, part *pagePart, from, to int) {
			*of(&part.Store) = (*of(s))[from:to:to]
		},
		join: func(before, s *commerce.Store, parts []*pagePart) {
			was := *of(before)
			all := make([]E, 0, len(was))
			for _, part := range parts {
				all = append(all, *of(&part.Store)...)
			}
			switch *of(s) = all; {
			case len(all) == 0:
				*of(s) = nil
			case len(all) == len(was) && equal(all, was):
				*of(s) = was
			}
		},
	}
}

// entries is the number of a page's entries.
func (p *pagePart) entries() (n int) {
	for i := range partLists {
		n += partLists[i].len(&p.Store)
	}
	if p.settings == nil {
		n-- // the list of the settings has always one
	}
	return n
}

// parts are the entries of each page.
func (p *PagedStore) parts() []pagePart {
	parts := make([]pagePart, len(p.pages))
	from := 0 // the page's first entry in the sequence of all
	for i := range p.pages {
		to, list := from+int(p.pages[i].entries), 0
		for at := range partLists {
			n := partLists[at].len(p.Store)
			if low, high := max(from, list), min(to, list+n); low < high {
				partLists[at].cut(p.Store, &parts[i], low-list, high-list)
			}
			list += n
		}
		from = to
	}
	return parts
}
