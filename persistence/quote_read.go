package persistence

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
	"cartd/ratelimit"
)

// QuoteID is part of engine.Storage.
func (d *DB) QuoteID(store uuid.UUID, token commerce.KeyHash, deadline time.Time) (uuid.UUID, error) {
	call := readQuoteToken(store, token)
	found, err := d.client.ReadAll([]*redisdb.Call{call}, deadline)
	if err != nil {
		return uuid.Nil, err
	}
	return d.quoteID(call, found[0])
}

// quoteAnswers is the bound of a caller's accepts and declines.
var quoteAnswers = ratelimit.Bound{Limit: commerce.QuoteAnswers}

// QuoteAnswer is part of engine.Storage. It counts and finds in one round trip.
func (d *DB) QuoteAnswer(store uuid.UUID, caller netip.Addr, token *commerce.KeyHash, deadline time.Time) (id uuid.UUID, b engine.Budget, err error) {
	calls := []*redisdb.Call{{
		Script: ratelimit.Script, Keys: []string{ratelimit.QuotesKey(store.String(), caller)},
		Args: ratelimit.Args(1, quoteAnswers, commerce.RateWindow),
	}}
	if token != nil {
		calls = append(calls, readQuoteToken(store, *token))
	}
	found, err := d.client.ReadAll(calls, deadline)
	if err != nil {
		return id, b, err
	}
	reply, err := ratelimit.ParseReply(found[0])
	if err != nil {
		return id, b, err
	}
	if token != nil {
		id, err = d.quoteID(calls[1], found[1])
	}
	return id, reply.Decide(0, quoteAnswers, commerce.RateWindow), err
}

func readQuoteToken(store uuid.UUID, token commerce.KeyHash) *redisdb.Call {
	return redisdb.KeyCall("GET", records.QuoteTokenKey(store, token))
}

// quoteID parses the value of a token's key.
func (d *DB) quoteID(call *redisdb.Call, value any) (uuid.UUID, error) {
	text, there := value.(string)
	id, ok := commerce.ParseID(text)
	if there && !ok {
		return uuid.Nil, d.client.Unreadable(redisdb.ErrCorrupt, call.Keys[0])
	}
	return id, nil
}

// CustomerQuotes is part of engine.Storage. It reads their number, the ids, the lengths, then the quotes, the newest first, and
// leaves out those that are gone. Quotes of one millisecond are sorted by number.
func (d *DB) CustomerQuotes(customer engine.RecordKey, q *engine.QuoteQuery, deadline time.Time) (page engine.QuotePage, err error) {
	total, keys, err := d.newest(records.CustomerQuotesKey(customer), customer, q.Page, deadline)
	page.Total = total
	if err != nil {
		return page, err
	}
	err = readInTurns(d, records.Quotes, keys, q.Room, deadline, func(quote *engine.Record[*commerce.Quote]) error {
		row := engine.MakeQuoteRow(quote.State)
		row.Goods.Lines = nil
		page.Quotes = append(page.Quotes, row)
		return nil
	})
	slices.SortStableFunc(page.Quotes, func(a, b engine.QuoteRow) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.Number, a.Number))
	})
	return page, err
}

// Signature reads the picture that accepted a quote; empty if there is none. Errors:
// ErrUnavailable.
func (d *DB) Signature(ctx context.Context, key engine.RecordKey) (png string, err error) {
	return d.client.ReadKey(ctx, records.SignatureKey(key))
}
