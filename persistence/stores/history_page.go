package stores

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"cartd/commerce"
	"cartd/engine"
	"cartd/persistence/redisdb"
)

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
