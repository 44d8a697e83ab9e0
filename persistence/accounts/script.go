package accounts

import (
	"embed"

	"cartd/persistence/redisdb"
)

//go:embed *.lua
var files embed.FS

var (
	// ReadTokenScript resolves a token.
	ReadTokenScript   = redisdb.NewScript(files, "read_token")
	findAccountScript = redisdb.NewScript(files, "find_account")
)
