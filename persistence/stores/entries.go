package stores

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/commerce/storefile"
	"cartd/engine"
	"cartd/persistence/stock"
)

// DocumentEntries is part of engine.Storage. It finds in memory which entries the page has, then reads their pages and the current
// numbers. It ends early at engine.MaxWork.
func (s *Stores) DocumentEntries(r *engine.Request, q *engine.EntryQuery) (page engine.EntryPage, err error) {
	ctx, cancel := context.WithDeadline(context.Background(), r.Deadline)
	defer cancel()
	list, read, err := s.openList(ctx, r, q.List)
	if err != nil {
		return page, err
	}
	start := 0
	if q.After != "" {
		if start = list.Find(q.After) + 1; start == 0 {
			var faults commerce.Faults
			faults.Add("after", commerce.MsgIn("after"))
			return page, faults.Refusal()
		}
	}
	began, at := time.Now(), start
	var found []int
	for ; at < list.Len() && len(found) < q.Size; at++ {
		if at%64 == 63 && time.Since(began) > engine.MaxWork/2 {
			break
		}
		if q.Part == "" || list.Matches(at, q.Part) {
			found = append(found, at)
		}
	}
	if at < list.Len() {
		page.NextAfter = list.Key(at - 1)
	}
	read.work = time.Since(began)
	entries, err := read.entries(ctx, found)
	if n := len(entries); err == nil && n < len(found) {
		page.NextAfter = list.Key(found[n-1])
	}
	page.Entries = entries
	return page, err
}

// DocumentEntry reads one entry. Errors: *commerce.Refusal, engine.ErrUnavailable.
func (s *Stores) DocumentEntry(r *engine.Request, name, key string) (entry storefile.ListedEntry, err error) {
	ctx, cancel := context.WithDeadline(context.Background(), r.Deadline)
	defer cancel()
	list, read, err := s.openList(ctx, r, name)
	if err != nil {
		return entry, err
	}
	at := list.Find(key)
	if at < 0 {
		return entry, commerce.NotFound("Entry", key)
	}
	entries, err := read.entries(ctx, []int{at})
	if err != nil {
		return entry, err
	}
	return entries[0], nil
}

// entryReader reads entries of a list.
type entryReader struct {
	*Stores
	entry  *StoreEntry
	loaded *Loaded
	list   *storefile.EntryList
	work   time.Duration
}

func (s *Stores) openList(ctx context.Context, r *engine.Request, name string) (*storefile.EntryList, *entryReader, error) {
	entry := s.Entry(r.Store.ID)
	l, err := s.inForce(ctx, entry)
	if err != nil {
		return nil, nil, err
	}
	list, ok := l.paged.List(name)
	if !ok {
		return nil, nil, commerce.NotFound("List", name)
	}
	return list, &entryReader{Stores: s, entry: entry, loaded: l, list: list}, nil
}

// entries reads entries, as many as the work permits, at least one.
func (e *entryReader) entries(ctx context.Context, found []int) (all []storefile.ListedEntry, err error) {
	var names []storefile.PageName
	for _, at := range found {
		if name := e.list.Page(at); len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	packed, err := e.packedPages(ctx, e.entry, e.loaded, names)
	if err != nil {
		return nil, err
	}
	current, err := e.current(ctx, found)
	if err != nil {
		return nil, err
	}
	var of storefile.PageName
	var page []storefile.Entry
	for _, at := range found {
		if len(all) > 0 && e.work > engine.MaxWork {
			break
		}
		began := time.Now()
		if name := e.list.Page(at); name != of {
			text, err := storefile.Unpack(name, packed[name])
			if err != nil {
				return nil, err
			}
			if page, err = storefile.Entries(text); err != nil {
				return nil, err
			}
			of = name
		}
		entry, err := e.list.Read(at, page, current)
		if err != nil {
			return nil, err
		}
		all = append(all, entry)
		e.work += time.Since(began)
	}
	return all, nil
}

// current are the numbers of the entries as they are now.
func (e *entryReader) current(ctx context.Context, found []int) (*storefile.Export, error) {
	current := &storefile.Export{OnHand: map[uuid.UUID]commerce.Micros{}, Used: map[uuid.UUID]int64{}}
	var items []uuid.UUID
	var fields []string
	var discounts []commerce.Discount
	for _, at := range found {
		for _, item := range e.list.Items(at) {
			items, fields = append(items, item), append(fields, item.String())
		}
		if id := e.list.Discount(at); id != uuid.Nil {
			discounts = append(discounts, *e.loaded.Store.Discount(id))
		}
	}
	if len(items) > 0 {
		values, err := e.hashValues(ctx, stock.OnHandKey(e.entry.ID), fields)
		if err != nil {
			return nil, e.Unavailable(e.entry, err)
		}
		for i, value := range values {
			if value != nil {
				current.OnHand[items[i]] = stock.Micros(value)
			}
		}
	}
	if len(discounts) > 0 {
		used, err := e.loadUsage(ctx, e.entry.ID, discounts)
		if err != nil {
			return nil, e.Unavailable(e.entry, err)
		}
		current.Used = used
	}
	return current, nil
}
