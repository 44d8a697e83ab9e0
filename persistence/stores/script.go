package stores

import (
	"embed"

	"cartd/persistence/redisdb"
)

//go:embed *.lua
var files embed.FS

var (
	replaceHintScript  = redisdb.NewScript(files, "replace_hint")
	importTokensScript = redisdb.NewScript(files, "import_tokens")
)
