package persistence

import (
	"embed"

	"cartd/persistence/redisdb"
)

//go:embed scripts/move_head.lua scripts/begin_import.lua scripts/extend_lease.lua scripts/claim_key.lua scripts/first_stock.lua scripts/import_tokens.lua
var storesFiles embed.FS

var (
	moveHeadScript     = redisdb.NewScript(storesFiles, "scripts/move_head")
	beginImportScript  = redisdb.NewScript(storesFiles, "scripts/begin_import")
	extendLeaseScript  = redisdb.NewScript(storesFiles, "scripts/extend_lease")
	claimKeyScript     = redisdb.NewScript(storesFiles, "scripts/claim_key")
	firstStockScript   = redisdb.NewScript(storesFiles, "scripts/first_stock")
	importTokensScript = redisdb.NewScript(storesFiles, "scripts/import_tokens")
)
