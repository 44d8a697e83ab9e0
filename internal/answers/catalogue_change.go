package answers

import "cartd/engine"

// CatalogueChanged is the answer to a change of the catalogue. The counts of a replay are not known.
var CatalogueChanged = Object("CatalogueChanged",
	Member("revision", Text, "The document's revision from now on.", func(c *engine.CatalogueChanged) *string { return &c.Revision }),
	NullUnless(func(c *engine.CatalogueChanged) bool { return !c.Replayed },
		Member("products", Integer, "The number of products of the store; null in a replay.", func(c *engine.CatalogueChanged) *int { return &c.Products }),
		Member("changed", Integer, "The number of entries and settings that the change set.", func(c *engine.CatalogueChanged) *int { return &c.Changed }),
		Member("removed", Integer, "The number of entries that it removed.", func(c *engine.CatalogueChanged) *int { return &c.Removed })),
)
