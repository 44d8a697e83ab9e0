package persistence

import (
	"context"
	"time"

	"cartd/persistence/stores"
)

// readableEvery is the pause between two checks of stores that cannot be read.
const readableEvery = 2 * time.Second

// CheckReadable makes the node unready while this program can read none of the first stores for
// their format. It returns the error of Redis.
func (d *DB) CheckReadable(ctx context.Context) error {
	err := d.Stores.CheckReadable(ctx)
	if !stores.IsFormat(err) {
		return err
	}
	d.noneReadable.Store(true)
	d.log.Error("no store can be read: this release does not know their format; go back to the release that wrote them, or import the documents again", "error",
		err.Error())
	go d.awaitReadable()
	return nil
}

func (d *DB) awaitReadable() {
	tick := time.NewTicker(readableEvery)
	defer tick.Stop()
	for {
		select {
		case <-d.stop:
			return
		case <-tick.C:
		}
		if err := d.Stores.CheckReadable(context.Background()); err == nil {
			d.noneReadable.Store(false)
			d.log.Info("a store can be read")
			return
		}
	}
}
