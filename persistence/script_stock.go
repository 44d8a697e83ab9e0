package persistence

import (
	"embed"

	"cartd/persistence/redisdb"
)

//go:embed scripts/expire_holds.lua scripts/stock_levels.lua
var stockFiles embed.FS

var (
	expireHoldsScript = redisdb.NewScript(stockFiles, "scripts/expire_holds")
	levelsScript      = redisdb.NewScript(stockFiles, "scripts/stock_levels")
)
