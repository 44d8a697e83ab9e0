package commerce

// Redirect sends an old storefront path to a new one.
type Redirect struct {
	From, To string
	Status   int
}
