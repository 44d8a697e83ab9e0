package stores

import (
	"embed"

	"cartd/persistence/redisdb"
)

//go:embed *.lua
var files embed.FS

var (
	moveHeadScript     = redisdb.NewScript(files, "move_head")
	beginImportScript  = redisdb.NewScript(files, "begin_import")
	extendLeaseScript  = redisdb.NewScript(files, "extend_lease")
	replaceHintScript  = redisdb.NewScript(files, "replace_hint")
	firstStockScript   = redisdb.NewScript(files, "first_stock")
	importTokensScript = redisdb.NewScript(files, "import_tokens")
)
