package answers

import "cartd/engine"

// CatalogueChanged is the answer to a change of the catalogue. The counts of a replay are not known.
var CatalogueChanged = Object("CatalogueChanged",
	Member("revision", Text, "The document's revision from now on.", func(c *engine.CatalogueChanged) string { return c.Revision }),
	Member("products", IfThere(Integer), "The number of products of the store; null in a replay.",
		countOf(func(c *engine.CatalogueChanged) int { return c.Products })),
	Member("changed", IfThere(Integer), "The number of entries and settings that the change set.",
		countOf(func(c *engine.CatalogueChanged) int { return c.Changed })),
	Member("removed", IfThere(Integer), "The number of entries that it removed.",
		countOf(func(c *engine.CatalogueChanged) int { return c.Removed })),
)

func countOf(get func(*engine.CatalogueChanged) int) func(*engine.CatalogueChanged) Maybe[int] {
	return func(c *engine.CatalogueChanged) Maybe[int] { return Maybe[int]{get(c), !c.Replayed} }
}
