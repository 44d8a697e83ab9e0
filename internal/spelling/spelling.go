// Package spelling finds the word that a misspelt one was meant to be: a flag, a
// variable, a command, a member of a store document.
//
// It knows no word by itself.
package spelling

// Closest returns the known word that is spelt most like a word, if one is close enough to
// be meant; of several the first.
func Closest(word string, known []string) (closest string, ok bool) {
	limit := 1 + len(word)/4 // mistakes that are taken for a slip
	if len(word) > maxLength {
		return "", false
	}
	for _, candidate := range known {
		if len(candidate) > maxLength || len(candidate) < len(word)-limit || len(candidate) > len(word)+limit {
			continue
		}
		if n := distance(word, candidate); n <= limit && n < max(len(word), len(candidate)) {
			closest, ok, limit = candidate, true, n-1
		}
	}
	return closest, ok
}

// maxLength is the longest word that is compared.
const maxLength = 64

// distance is how many letters have to be changed, added, left out or exchanged with their
// neighbour.
func distance(a, b string) int {
	var rows [3][maxLength + 1]int // of the letters of a: the one before the last, the last, this one
	for j := range len(b) + 1 {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		rows[2][0] = i
		for j := 1; j <= len(b); j++ {
			changed := 1
			if a[i-1] == b[j-1] {
				changed = 0
			}
			rows[2][j] = min(rows[1][j]+1, rows[2][j-1]+1, rows[1][j-1]+changed)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[2][j] = min(rows[2][j], rows[0][j-2]+1)
			}
		}
		rows[0], rows[1] = rows[1], rows[2]
	}
	return rows[1][len(b)]
}
