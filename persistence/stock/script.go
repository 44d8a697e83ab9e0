package stock

import (
	"embed"

	"cartd/persistence/redisdb"
)

//go:embed *.lua
var files embed.FS

var (
	expireHoldsScript = redisdb.NewScript(files, "expire_holds")
	levelsScript      = redisdb.NewScript(files, "stock_levels")
)
