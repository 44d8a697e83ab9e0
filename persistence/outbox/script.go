package outbox

import (
	"embed"

	"cartd/persistence/redisdb"
)

//go:embed *.lua
var files embed.FS

var (
	leaseStoresScript   = redisdb.NewScript(files, "lease_stores")
	returnStoresScript  = redisdb.NewScript(files, "return_stores")
	fanOutScript        = redisdb.NewScript(files, "fan_out")
	leaseDeliveryScript = redisdb.NewScript(files, "lease_delivery")
	dropQueueScript     = redisdb.NewScript(files, "drop_queue")
)
