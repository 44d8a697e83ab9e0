package persistence

import (
	_ "embed"

	"github.com/redis/go-redis/v9"

	"cartd/persistence/records"
	"cartd/ratelimit"
)

// Each script's contract stands at its head.
var (
	//go:embed scripts/lapse.lua
	lapseSource string
	//go:embed scripts/stock_levels.lua
	stockLevelsSource string
	//go:embed scripts/first_stock.lua
	firstStockSource string
	//go:embed scripts/adjust_stock.lua
	adjustStockSource string
	//go:embed scripts/token.lua
	tokenSource string
	//go:embed scripts/move_head.lua
	moveHeadSource string
	//go:embed scripts/begin_import.lua
	beginImportSource string
	//go:embed scripts/extend_lease.lua
	extendLeaseSource string
	//go:embed scripts/claim_key.lua
	claimKeySource string
	//go:embed scripts/now.lua
	nowSource string
	//go:embed scripts/import_tokens.lua
	importTokensSource string
	//go:embed scripts/email.lua
	emailSource string
	//go:embed scripts/look.lua
	lookSource string
	//go:embed scripts/looked.lua
	lookedSource string
	//go:embed scripts/hand_out.lua
	handOutSource string
	//go:embed scripts/settle.lua
	settleSource string
	//go:embed scripts/take.lua
	takeSource string
	//go:embed scripts/drop.lua
	dropSource string

	lapseScript       = redis.NewScript(lapseSource)
	stockLevelsScript = redis.NewScript(stockLevelsSource)
	firstStockScript  = redis.NewScript(firstStockSource)
	adjustStockScript = redis.NewScript(adjustStockSource)
	tokenScript       = redis.NewScript(tokenSource)
	moveHeadScript    = redis.NewScript(moveHeadSource)
	beginImportScript = redis.NewScript(beginImportSource)
	nowScript         = redis.NewScript(nowSource)
	emailScript       = redis.NewScript(emailSource)
)

var (
	extendLeaseScript  = redis.NewScript(extendLeaseSource)
	claimKeyScript     = redis.NewScript(claimKeySource)
	importTokensScript = redis.NewScript(importTokensSource)

	lookScript    = redis.NewScript(lookSource)
	lookedScript  = redis.NewScript(lookedSource)
	handOutScript = redis.NewScript(handOutSource)
	takeScript    = redis.NewScript(settleSource + takeSource)
	dropScript    = redis.NewScript(dropSource)
)

// scripts are loaded on every new connection.
var scripts = []*redis.Script{
	ratelimit.Script, ratelimit.BeginAttempt, ratelimit.EndAttempt,
	records.Write, tokenScript, moveHeadScript, beginImportScript, nowScript, emailScript,
	lapseScript, stockLevelsScript, firstStockScript, adjustStockScript,
	extendLeaseScript, claimKeyScript, importTokensScript, lookScript, lookedScript, handOutScript, takeScript, dropScript,
}
