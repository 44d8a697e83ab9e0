package stores

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/records"
	"cartd/persistence/redisdb"
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

// historyPage is the number of rows of a page of the history.
const historyPage = 100

// keptLine is a line of one of the lists of the history, which is read as far as its time.
type keptLine struct {
	ms   int64
	text string
	row  func(text string) (engine.HistoryRow, error)
}

// HistoryPage reads a page of a store's history, the newest first. after is the time of the last row of the page before, in
// Unix milliseconds, a dot, and how many rows of this time were shown. Errors: *commerce.Refusal, engine.ErrUnavailable.
func (s *Stores) HistoryPage(r *engine.Request, after string) (page engine.HistoryPage, err error) {
	before, shown, ok := parseHistoryCursor(after)
	if !ok {
		var faults commerce.Faults
		faults.Add("after", commerce.MsgIn("after"))
		return page, faults.Refusal()
	}
	acts, imports := actHistory.key(r.Store.ID), importHistory.key(r.Store.ID)
	found, err := s.client.ReadAll([]*redisdb.Call{redisdb.KeyCall("LRANGE", acts, 0, -1), redisdb.KeyCall("LRANGE", imports, 0, -1)}, r.Deadline)
	if err != nil {
		return page, err
	}
	var lines []keptLine
	for i, row := range []func(string) (engine.HistoryRow, error){actRow, importRow} {
		texts := redisdb.Texts(found[i])
		slices.Reverse(texts)
		for _, text := range texts {
			at, rest, _ := strings.Cut(text, " ")
			ms, err := strconv.ParseInt(at, 10, 64)
			if err != nil {
				return page, s.client.Unreadable(redisdb.ErrCorrupt, []string{acts, imports}[i])
			}
			if after == "" || ms <= before {
				lines = append(lines, keptLine{ms, rest, row})
			}
		}
	}
	slices.SortStableFunc(lines, func(a, b keptLine) int { return cmp.Compare(b.ms, a.ms) })
	if after != "" {
		lines = lines[min(shown, sameTime(lines, before)):]
	}
	for i, line := range lines {
		if i == historyPage {
			page.NextAfter = historyCursor(lines[:i], before, shown)
			return page, nil
		}
		row, err := line.row(line.text)
		if err != nil {
			return page, s.client.Unreadable(redisdb.ErrCorrupt, acts)
		}
		row.At = time.UnixMilli(line.ms).UTC()
		page.Rows = append(page.Rows, row)
	}
	return page, nil
}

// sameTime is the number of the first lines that have a time.
func sameTime(lines []keptLine, ms int64) (n int) {
	for n < len(lines) && lines[n].ms == ms {
		n++
	}
	return n
}

// historyCursor is the cursor after a page that began at another one.
func historyCursor(page []keptLine, before int64, shown int) string {
	last, n := page[len(page)-1].ms, 0
	for i := len(page) - 1; i >= 0 && page[i].ms == last; i-- {
		n++
	}
	if last == before {
		n += shown
	}
	return strconv.FormatInt(last, 10) + "." + strconv.Itoa(n)
}

func parseHistoryCursor(after string) (ms int64, shown int, ok bool) {
	if after == "" {
		return 0, 0, true
	}
	at, count, _ := strings.Cut(after, ".")
	ms, err := strconv.ParseInt(at, 10, 64)
	shown, bad := strconv.Atoi(count)
	return ms, shown, err == nil && bad == nil && shown >= 0
}

func actRow(text string) (row engine.HistoryRow, err error) {
	var a Act
	err = json.Unmarshal([]byte(text), &a)
	return engine.HistoryRow{Key: a.Key, Act: a.Name, On: a.On}, err
}

// importRow is a row of a document's import or of change sets, on the revision that it made.
func importRow(text string) (row engine.HistoryRow, err error) {
	var i Imported
	err = json.Unmarshal([]byte(text), &i)
	row = engine.HistoryRow{Act: "import", On: i.Revision}
	if key, is := strings.CutPrefix(i.By, "key "); is {
		row.Act, row.Key = "changeCatalogue", strings.ReplaceAll(key, ", key ", ", ")
	}
	return row, err
}

// The audit trail has what operators' commands changed, over all stores. It is no key of a store, so
// the drop of a store and the erasure of a customer leave it as it is.
const (
	trailKey = "audit" // a list; a line is Redis's time (Unix ms), space, JSON
	// TrailLength is the maximum of entries that the trail keeps.
	TrailLength = 10_000
)

// Deed is what an operator's command has changed: one entry of the trail.
type Deed struct {
	At      time.Time `json:"-"`
	Store   uuid.UUID `json:"store"`
	Command string    `json:"command"`
	Act     string    `json:"act"`
	// On is what was changed: a key's name, a customer's id, a number. It has no personal data.
	On string `json:"on,omitempty"`
	// User and Host say who ran the command, and where.
	User string `json:"user"`
	Host string `json:"host"`
	// Fault is the error that has ended a command halfway; empty if it is done.
	Fault string `json:"fault,omitempty"`
	// Began is when the command was about to write, in Redis's Unix ms; 0 in entries of older programs.
	Began int64 `json:"began,omitempty"`
	// UnderWay is true from the begin to the end: for good if the command was killed.
	UnderWay bool `json:"under_way,omitempty"`
	// line is the entry in Redis while it is under way.
	line string
}

// BeginDeed writes the entry of a command that is about to change something.
func (s *Stores) BeginDeed(ctx context.Context, d *Deed) error {
	d.UnderWay = true
	return s.writeDeed(ctx, d)
}

// EndDeed writes the entry of a command that has ended, in place of that of its begin.
func (s *Stores) EndDeed(ctx context.Context, d *Deed) error {
	d.UnderWay = false
	return s.writeDeed(ctx, d)
}

func (s *Stores) writeDeed(ctx context.Context, d *Deed) error {
	now, err := s.client.Redis.Time(ctx).Result()
	if err != nil {
		return err
	}
	if d.Began == 0 {
		d.Began = now.UnixMilli()
	}
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	line := strconv.FormatInt(now.UnixMilli(), 10) + " " + string(text)
	pipe := s.client.Redis.Pipeline() // in a transaction a missing right would only be EXECABORT
	pipe.RPush(ctx, trailKey, line)
	if d.line != "" {
		pipe.LRem(ctx, trailKey, -1, d.line)
	}
	pipe.LTrim(ctx, trailKey, -TrailLength, -1)
	_, err = pipe.Exec(ctx)
	if err == nil {
		d.line = line
	}
	return err
}

// DropDeed takes back the entry of a command that has changed nothing.
func (s *Stores) DropDeed(ctx context.Context, d *Deed) error {
	if d.line == "" {
		return nil
	}
	return s.client.Redis.LRem(ctx, trailKey, -1, d.line).Err()
}

// Deeds reads the trail, the newest first.
func (s *Stores) Deeds(ctx context.Context) ([]Deed, error) {
	return readEntries(ctx, s, trailKey, TrailLength, func(d *Deed, at time.Time) { d.At = at })
}

// readEntries reads a list of entries, which is bounded, the newest first.
func readEntries[T any](ctx context.Context, s *Stores, key string, length int, date func(*T, time.Time)) ([]T, error) {
	lines, err := s.client.Redis.LRange(ctx, key, int64(-length), -1).Result()
	if err != nil {
		return nil, err
	}
	entries := make([]T, len(lines))
	for i, line := range lines {
		entry := &entries[len(lines)-1-i]
		at, text, _ := strings.Cut(line, " ")
		ms, err := strconv.ParseInt(at, 10, 64)
		if err == nil {
			err = json.Unmarshal([]byte(text), entry)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, redisdb.ErrCorrupt)
		}
		date(entry, time.UnixMilli(ms).UTC())
	}
	return entries, nil
}

// WriteAct adds an act to a plan, which writes it into the store's history.
func WriteAct(plan *records.Plan, store uuid.UUID, act Act, now time.Time) {
	key := actHistory.key(store)
	plan.List("RPUSH", key, records.Millis(now)+" "+actLine(act).text)
	plan.List("LTRIM", key, strconv.Itoa(-actHistory.max), "-1")
}
