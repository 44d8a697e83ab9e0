package accounts

import (
	"embed"

	"cartd/persistence/redisdb"
)

//go:embed *.lua
var files embed.FS

var (
	ReadTokenScript   = redisdb.NewScript(files, "read_token")
	findAccountScript = redisdb.NewScript(files, "find_account")
)
