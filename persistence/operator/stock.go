package operator

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"cartd/commerce"
	"cartd/persistence/stock"
)

// FoundStock is the stock of an item: a product, or one of its variants.
type FoundStock struct {
	Store   *commerce.Store
	Product *commerce.Product
	// Variant is nil for a product without variants.
	Variant *commerce.Variant
	Level   commerce.StockLevel
	// Holds are the carts that hold some of it, the first that expires first.
	Holds []FoundHold
}

// FoundHold is a cart's hold of an item.
type FoundHold struct {
	Cart  uuid.UUID
	Held  commerce.Micros
	Until time.Time
}

// FindStock finds the stock of products, or of variants, by an id, by its first characters as the log shows
// them, or by a SKU, in a store, or in all stores for uuid.Nil. It expires no hold. Errors: ErrNotFound.
func (o Operator) FindStock(ctx context.Context, store uuid.UUID, word string) ([]*FoundStock, error) {
	return inStores(ctx, o, store, func(store uuid.UUID) ([]*FoundStock, error) {
		l, err := o.LoadStore(ctx, store)
		if err != nil {
			return nil, err
		}
		found := itemsOf(l.Store, word)
		if len(found) == 0 {
			return nil, nil
		}
		return found, o.readStock(ctx, store, found)
	})
}

// itemsOf lists the stock items of products and variants that a word names: those of a product are its own or
// those of all its variants.
func itemsOf(s *commerce.Store, word string) (items []*FoundStock) {
	for _, p := range s.Products {
		whole := isNamed(p.ID, p.SKU, word)
		if whole && len(p.Variants) == 0 {
			items = append(items, &FoundStock{Store: s, Product: p})
		}
		for i := range p.Variants {
			if v := &p.Variants[i]; whole || isNamed(v.ID, v.SKU, word) {
				items = append(items, &FoundStock{Store: s, Product: p, Variant: v})
			}
		}
	}
	return items
}

// isNamed reports whether a word is an id, its first characters, or a SKU.
func isNamed(id uuid.UUID, sku, word string) bool {
	text, small := id.String(), strings.ToLower(word)
	return text == small || len(small) == ShortID && strings.HasPrefix(text, small) || sku != "" && sku == word
}

// Item is the id that the stock counts under.
func (f *FoundStock) Item() uuid.UUID {
	if f.Variant != nil {
		return f.Variant.ID
	}
	return f.Product.ID
}

// readStock reads the levels and the holds of items of one store.
func (o Operator) readStock(ctx context.Context, store uuid.UUID, found []*FoundStock) error {
	fields := make([]string, len(found))
	for i, f := range found {
		fields[i] = f.Item().String()
	}
	onHand, err := o.Redis().Redis.HMGet(ctx, stock.OnHandKey(store), fields...).Result()
	if err != nil {
		return err
	}
	held, err := o.Redis().Redis.HMGet(ctx, stock.HeldKey(store), fields...).Result()
	if err != nil {
		return err
	}
	for i, f := range found {
		f.Level = commerce.StockLevel{OnHand: stock.Micros(onHand[i]), Held: stock.Micros(held[i]), Limit: f.Store.Backorder(f.Item()).Limit}
	}
	for cursor := uint64(0); ; {
		carts, next, err := o.Redis().Redis.ZScan(ctx, stock.HoldsKey(store), cursor, "", 500).Result()
		if err == nil {
			err = o.readHolds(ctx, store, found, fields, carts)
		}
		if err != nil {
			return err
		}
		if cursor = next; cursor == 0 {
			break
		}
	}
	for _, f := range found {
		slices.SortFunc(f.Holds, func(a, b FoundHold) int {
			return cmp.Or(a.Until.Compare(b.Until), cmp.Compare(a.Cart.String(), b.Cart.String()))
		})
		f.Holds = slices.Compact(f.Holds) // a scan may return a member twice
	}
	return nil
}

// readHolds adds the holds of carts, given as pairs of id and expiry.
func (o Operator) readHolds(ctx context.Context, store uuid.UUID, found []*FoundStock, fields, carts []string) error {
	pipe := o.Redis().Redis.Pipeline()
	var ids []uuid.UUID
	var until []time.Time
	for i := 0; i+1 < len(carts); i += 2 {
		id, ok := commerce.ParseID(carts[i])
		at, err := strconv.ParseFloat(carts[i+1], 64)
		if !ok || err != nil {
			continue
		}
		ids, until = append(ids, id), append(until, time.UnixMilli(int64(at)))
		pipe.HMGet(ctx, stock.CartKey(store, id), fields...)
	}
	if len(ids) == 0 {
		return nil
	}
	answers, err := pipe.Exec(ctx)
	if err != nil {
		return err
	}
	for i, answer := range answers {
		for item, value := range answer.(*redis.SliceCmd).Val() {
			if held := stock.Micros(value); held > 0 {
				found[item].Holds = append(found[item].Holds, FoundHold{Cart: ids[i], Held: held, Until: until[i]})
			}
		}
	}
	return nil
}
