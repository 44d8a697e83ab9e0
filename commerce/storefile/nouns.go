package storefile

// nounNames are the names of the members that each noun of a document may have, read from
// the document's description when the first misspelt one is found.
type nounNames map[string][]string

// of returns the names of a noun's members.
func (n nounNames) of(noun string) []string {
	if len(n) == 0 {
		n.note(describe())
	}
	return n[noun]
}

// note writes down the members of a noun and of all within it.
func (n nounNames) note(s *schema) {
	if s == nil {
		return
	}
	for _, p := range s.properties {
		n[s.name] = append(n[s.name], p.name)
		n.note(p.slot.holds)
	}
	for _, inner := range []*slot{s.items, s.values} {
		if inner != nil {
			n.note(inner.holds)
		}
	}
}
