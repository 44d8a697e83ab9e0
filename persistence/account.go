package persistence

import (
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/internal/answers"
	"cartd/persistence/accounts"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
)

// Register is part of engine.Storage. It reports the account.
func (d *DB) Register(r *engine.Request, seen engine.Account, c *commerce.Contact, s *commerce.Session) error {
	return d.saveAccount(r, &engine.AccountChange{Next: c, Email: seen}, s)
}

// SaveExternal is part of engine.Storage. It reports a new account.
func (d *DB) SaveExternal(r *engine.Request, change *engine.AccountChange) error {
	return d.saveAccount(r, change, nil)
}

// saveAccount writes an account by the compare-and-set of its record and of its index entries, with its
// first token; nil for none. No actor takes part: the one of the account's record finds another stamp, as
// after a write of another node.
func (d *DB) saveAccount(r *engine.Request, change *engine.AccountChange, s *commerce.Session) error {
	store, c, id := r.Store.ID, change.Next, change.Next.ID.String()
	var before engine.Record[*commerce.Contact]
	if change.Before != nil {
		before = *change.Before
	}
	visit := engine.Visit[*commerce.Contact]{
		Key: engine.RecordKey{Store: store, ID: c.ID}, Seen: before.Stamp, Writes: true, Next: records.Next(records.MakeWriter(), &before, c, r.Now),
	}
	w := &sending{Visit: records.NewVisit(records.Contacts, &visit, nil)}
	w.store = r.Store
	email := accounts.EmailKey(store, c.Email)
	w.Plan.CheckValue(email, change.Email.Entry)
	if c.ExternalID != "" {
		w.Plan.CheckValue(accounts.ExternalKey(store, c.ExternalID), change.External.Entry)
	}
	if change.Former {
		w.Plan.CheckValue(accounts.EmailKey(store, before.State.Email), id)
		w.Plan.Write("DEL", accounts.EmailKey(store, before.State.Email))
	}
	w.Plan.Write("SET", email, id)
	if s != nil {
		w.Plan.Write("SET", accounts.TokenKey(store, s.Token), accounts.SessionText(c.ID, s), "PXAT", s.ExpiresAt)
	}
	if c.ExternalID != "" {
		w.Plan.Write("SET", accounts.ExternalKey(store, c.ExternalID), id)
	}
	w.Plan.Set("SADD", accounts.CustomersKey(store), id)
	accounts.IndexContact(&w.Plan, store, before.State, c)
	w.act(store, r.Act(c.ID), r.Now)
	if change.Before == nil {
		w.announce(store, answers.ContactChanged(commerce.EventContactRegistered, r.Store, c, c.CreatedAt), 0)
	}
	if !d.grows(d.growing([]*engine.Request{r}, len(w.Record)-before.Size+w.Plan.Bytes()+w.growth, false)) {
		return engine.GrowthFull
	}
	made, err := d.commit(r, w)
	if err == nil && made.Kind != engine.Done {
		err = engine.ErrOutdated // the account or an entry is another one
	}
	if err == nil && w.events {
		d.outbox.Announce(store)
	}
	return err
}

// GuestEmail is the address of a guest's newest order or quote; empty if there is none. Errors: ErrUnavailable.
func (d *DB) GuestEmail(r *engine.Request, guest engine.RecordKey) (string, error) {
	orders, quotes := records.CustomerOrdersKey(guest), records.CustomerQuotesKey(guest)
	found, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("ZREVRANGE", orders, 0, 0), redisdb.KeyCall("ZREVRANGE", quotes, 0, 0)}, r.Deadline)
	if err != nil {
		return "", err
	}
	keys, err := d.recordKeys(orders, guest.Store, redisdb.Texts(found[0]))
	if err != nil {
		return "", err
	}
	sold, err := readRecords(d, records.Orders, keys, r.Deadline)
	if err != nil {
		return "", err
	}
	if len(sold) > 0 && sold[0] != nil && sold[0].State.Email != "" {
		return sold[0].State.Email, nil
	}
	if keys, err = d.recordKeys(quotes, guest.Store, redisdb.Texts(found[1])); err != nil {
		return "", err
	}
	asked, err := readRecords(d, records.Quotes, keys, r.Deadline)
	if err != nil || len(asked) == 0 || asked[0] == nil {
		return "", err
	}
	return asked[0].State.Email, nil
}

// FindContacts reads a page of the accounts whose name begins so, or that await approval: some entries of an index, then the accounts,
// until the page is full. It ends early after engine.MaxLooked entries or engine.MaxWork. Errors: *commerce.Refusal, ErrUnavailable.
func (d *DB) FindContacts(r *engine.Request, q *engine.ContactQuery) (page engine.ContactPage, err error) {
	prefix, after := accounts.FoldName(q.Name), q.After
	work, looked := time.Duration(0), 0
	for n := q.Size + 1; ; n = lookAtOnce {
		some, err := d.indexedAccounts(r, q, prefix, after, n)
		if err != nil {
			return page, err
		}
		texts, err := readTexts(d, records.Contacts, some.keys, r.Deadline)
		if err != nil {
			return page, err
		}
		began := time.Now()
		contacts, err := decodeRecords(d, records.Contacts, some.keys, texts)
		if err != nil {
			return page, err
		}
		for i, contact := range contacts {
			if contact != nil && some.counts(i, contact.State, prefix) {
				if len(page.Contacts) == q.Size {
					page.NextAfter = after
					return page, nil
				}
				page.Contacts = append(page.Contacts, contact.State)
			}
			after = some.ends[i]
		}
		work, looked = work+time.Since(began), looked+len(contacts)
		switch {
		case !some.more:
			return page, nil
		case looked >= engine.MaxLooked || work >= maxDecoding:
			page.NextAfter = after
			return page, nil
		}
	}
}

// indexedAccounts are some entries of an index of accounts, and how a page begins behind each. more means that others follow.
type indexedAccounts struct {
	keys []engine.RecordKey
	ends []string
	// names are the entries of the index by name; nil of the other one.
	names []string
	more  bool
}

// counts reports whether an entry counts: an index may have what has left it, and an account with two names is shown once.
func (a *indexedAccounts) counts(i int, c *commerce.Contact, prefix string) bool {
	if a.names == nil {
		return c.Awaits()
	}
	return firstEntry(c, prefix) == a.names[i]
}

// indexedAccounts reads n entries behind a place. Errors: *commerce.Refusal, ErrUnavailable.
func (d *DB) indexedAccounts(r *engine.Request, q *engine.ContactQuery, prefix, after string, n int) (some indexedAccounts, err error) {
	if q.Awaiting {
		_, some.keys, some.ends, err = d.byScore(r.Store.ID, &scoredList{key: accounts.AwaitingKey(r.Store.ID)}, after, n, r.Deadline)
	} else {
		err = d.namedAccounts(r, prefix, after, n, &some)
	}
	if errors.Is(err, engine.ErrBefore) {
		return some, commerce.FaultOf("after", commerce.MsgIn("after"))
	}
	if some.more = len(some.keys) > n; some.more {
		some.keys = some.keys[:n]
	}
	return some, err
}

// namedAccounts reads n entries whose names begin so, and one more. A page begins behind an entry. Errors: ErrBefore, ErrUnavailable.
func (d *DB) namedAccounts(r *engine.Request, prefix, after string, n int, some *indexedAccounts) (err error) {
	begin := "[" + prefix
	if after != "" {
		entry, err := base64.RawURLEncoding.DecodeString(after)
		if err != nil || !strings.HasPrefix(string(entry), prefix) {
			return engine.ErrBefore
		}
		begin = "(" + string(entry)
	}
	index := accounts.NamesKey(r.Store.ID)
	found, err := d.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("ZRANGEBYLEX", index, begin, "["+prefix+"\xff", "LIMIT", 0, n+1)}, r.Deadline)
	if err != nil {
		return err
	}
	some.names = redisdb.Texts(found[0])
	ids := make([]string, len(some.names))
	for i, entry := range some.names {
		ids[i] = entry[strings.LastIndexByte(entry, '\n')+1:]
		some.ends = append(some.ends, base64.RawURLEncoding.EncodeToString([]byte(entry)))
	}
	some.keys, err = d.recordKeys(index, r.Store.ID, ids)
	return err
}

// firstEntry is the first entry of an account that begins with a prefix; an account that has two is shown once.
func firstEntry(c *commerce.Contact, prefix string) string {
	for _, entry := range accounts.NameEntries(c) {
		if strings.HasPrefix(entry, prefix) {
			return entry
		}
	}
	return ""
}
