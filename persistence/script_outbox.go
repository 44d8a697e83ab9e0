package persistence

import (
	"embed"

	"cartd/persistence/redisdb"
)

//go:embed scripts/lease_stores.lua scripts/return_stores.lua scripts/fan_out.lua scripts/lease_delivery.lua scripts/drop_queue.lua
var outboxFiles embed.FS

var (
	leaseStoresScript   = redisdb.NewScript(outboxFiles, "scripts/lease_stores")
	returnStoresScript  = redisdb.NewScript(outboxFiles, "scripts/return_stores")
	fanOutScript        = redisdb.NewScript(outboxFiles, "scripts/fan_out")
	leaseDeliveryScript = redisdb.NewScript(outboxFiles, "scripts/lease_delivery")
	dropQueueScript     = redisdb.NewScript(outboxFiles, "scripts/drop_queue")
)
