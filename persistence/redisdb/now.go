package redisdb

import (
	"context"
	"embed"
	"time"
)

//go:embed now.lua
var scriptFiles embed.FS

var nowScript = NewScript(scriptFiles, "now")

// Now returns the time of a key's Redis, and the key's value. Errors: ErrCorrupt, or the error
// of the call.
func (c *Client) Now(ctx context.Context, key string) (now time.Time, value string, err error) {
	reply, err := nowScript.Run(ctx, c.Redis, []string{key}).Slice()
	if err != nil {
		return now, "", err
	}
	if len(reply) != 2 {
		return now, "", ErrCorrupt
	}
	micros, ok := reply[0].(int64)
	value, alsoOK := reply[1].(string)
	if !ok || !alsoOK {
		return now, "", ErrCorrupt
	}
	return time.UnixMicro(micros).UTC(), value, nil
}

// NowCall reads the time of a key's Redis as a call that costs a trip and changes nothing.
func NowCall(key string) Call { return Call{Script: nowScript, Keys: []string{key}} }
