package persistence

import (
	"embed"

	"github.com/redis/go-redis/v9"

	"cartd/persistence/records"
	"cartd/ratelimit"
)

// Each script's contract stands at its head.
//
//go:embed scripts/*.lua
var scriptFiles embed.FS

// scripts are loaded on every new connection.
var scripts = []*redis.Script{ratelimit.Script, ratelimit.BeginAttempt, ratelimit.EndAttempt, records.Write}

var (
	lapseScript        = newScript("lapse")
	stockLevelsScript  = newScript("stock_levels")
	firstStockScript   = newScript("first_stock")
	tokenScript        = newScript("token")
	moveHeadScript     = newScript("move_head")
	beginImportScript  = newScript("begin_import")
	extendLeaseScript  = newScript("extend_lease")
	claimKeyScript     = newScript("claim_key")
	nowScript          = newScript("now")
	importTokensScript = newScript("import_tokens")
	emailScript        = newScript("email")
	lookScript         = newScript("look")
	lookedScript       = newScript("looked")
	handOutScript      = newScript("hand_out")
	takeScript         = newScript("settle", "take")
	dropScript         = newScript("drop")
)

// newScript makes a script of files that stand one behind the other.
func newScript(files ...string) *redis.Script {
	var source []byte
	for _, file := range files {
		text, err := scriptFiles.ReadFile("scripts/" + file + ".lua")
		if err != nil {
			panic(err)
		}
		source = append(source, text...)
	}
	script := redis.NewScript(string(source))
	scripts = append(scripts, script)
	return script
}
