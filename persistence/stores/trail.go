package stores

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cartd/persistence/redisdb"
)

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
