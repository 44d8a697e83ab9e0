package stores

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"cartd/engine"
	"cartd/persistence/records"
)

// historyList is one of the lists of a store's history. They are apart, so that frequent imports never
// push out an act.
type historyList struct {
	name string
	max  int // lines that the list keeps
}

var (
	// imports: {<store>}:history, acts: {<store>}:acts, codes: {<store>}:code-history. A line is Redis's
	// time (Unix ms), space, JSON.
	importHistory = historyList{"history", 100}
	actHistory    = historyList{"acts", 10_000}
	codeHistory   = historyList{"code-history", 100}
)

func (l historyList) key(store uuid.UUID) string { return records.SingleKey(store, l.name) }

// historyLine is a line that is written with its act; no list if there is none.
type historyLine struct {
	list historyList
	text string // without its time
}

// Imported is an import in a store's history.
type Imported struct {
	At       time.Time `json:"-"`
	Revision string    `json:"revision"`
	Products int       `json:"products"`
	// By is the command, or the name of the API key.
	By string `json:"by"`
	// Sets is the number of change sets that the line counts; 0 for a whole document. Prices are changed prices of products, the
	// first engine.MaxPrices of the line.
	Sets   int                  `json:"sets,omitempty"`
	Prices []engine.PriceChange `json:"prices,omitempty"`
}

// Act is another act in a store's history: a suspension, a limit, a key, an approval, an erasure.
type Act struct {
	At time.Time `json:"-"`
	// Name is one of the acts' names; On is its object: the name of a key, a limit, a customer's id.
	Name string `json:"act"`
	On   string `json:"on,omitempty"`
	// Key is the name of the merchant's API key; empty for an operator's command.
	Key string `json:"key,omitempty"`
}

// The names of acts.
const (
	actSuspend = "suspend"
	actResume  = "resume"
	actClose   = "closed"
	actOpen    = "open"
	actLimit   = "limit"
	actKey     = "key made"
	actRevoke  = "key revoked"
	ActApprove = "approve"
	ActErase   = "erase"
	// ActReverseCharge and ActNoReverseCharge say whether an account's VAT id is good for reverse charge.
	ActReverseCharge   = "reverse-charge"
	ActNoReverseCharge = "no-reverse-charge"
)

func importLine(i Imported) historyLine { return makeLine(importHistory, i) }

func actLine(a Act) historyLine { return makeLine(actHistory, a) }

func makeLine(list historyList, entry any) historyLine {
	text, err := json.Marshal(entry)
	if err != nil {
		panic(err) // texts and numbers always have a JSON form
	}
	return historyLine{list, string(text)}
}

// History reads a store's history, the newest first. Errors: of a store that does not exist.
func (s *Stores) History(ctx context.Context, store uuid.UUID) (imports []Imported, acts []Act, err error) {
	if _, err = s.readPresent(ctx, store); err != nil {
		return nil, nil, err
	}
	imports, err = readEntries(ctx, s, importHistory.key(store), importHistory.max, func(i *Imported, at time.Time) { i.At = at })
	if err == nil {
		acts, err = readEntries(ctx, s, actHistory.key(store), actHistory.max, func(a *Act, at time.Time) { a.At = at })
	}
	return imports, acts, err
}

// CodesGiven reads the last codes that a store's batches have given, the newest first.
func (s *Stores) CodesGiven(ctx context.Context, store uuid.UUID) ([]GivenCodes, error) {
	return readEntries(ctx, s, codeHistory.key(store), codeHistory.max, func(g *GivenCodes, at time.Time) { g.At = at })
}
