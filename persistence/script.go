package persistence

import (
	_ "embed"

	"github.com/redis/go-redis/v9"

	"cartd/ratelimit"
)

// Each script's contract stands at its head.
var (
	//go:embed scripts/commit.lua
	commitSource string
	//go:embed scripts/tally.lua
	tallySource string
	//go:embed scripts/token.lua
	tokenSource string
	//go:embed scripts/move_head.lua
	moveHeadSource string
	//go:embed scripts/begin_import.lua
	beginImportSource string
	//go:embed scripts/email.lua
	emailSource string
	//go:embed scripts/register.lua
	registerSource string

	commitScript      = redis.NewScript(commitSource)
	tallyScript       = ratelimit.NewScript(tallySource)
	tokenScript       = redis.NewScript(tokenSource)
	moveHeadScript    = redis.NewScript(moveHeadSource)
	beginImportScript = redis.NewScript(beginImportSource)
	emailScript       = redis.NewScript(emailSource)
	registerScript    = redis.NewScript(registerSource)
)
