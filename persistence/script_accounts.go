package persistence

import (
	"embed"

	"cartd/persistence/redisdb"
)

//go:embed scripts/read_token.lua scripts/find_account.lua
var accountsFiles embed.FS

var (
	readTokenScript   = redisdb.NewScript(accountsFiles, "scripts/read_token")
	findAccountScript = redisdb.NewScript(accountsFiles, "scripts/find_account")
)
