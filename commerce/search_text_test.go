package commerce

import "testing"

func TestNormalizeText(t *testing.T) {
	for text, want := range map[string]string{
		"Crème BRÛLÉE": "creme brulee", "ﬁlter": "filter", "Straße": "strasse", "ΣΟΦΌΣ": "σοφοσ", "İ": "i", "x²": "x2",
		"RB-1": "rb-1", "": "", "Ǆ": "dz", "한": "\u1112\u1161\u11ab",
		"Łódź": "lodz", "ØL": "ol", "Đakovo": "dakovo", "Işık": "isik", "Æble": "aeble", "Œuvre": "oeuvre", "ẞ": "ss", "Guðmundur": "gudmundur",
		"Þór": "thor", "Ħal Għaxaq": "hal ghaxaq", "Ŧ": "t", "ŊƵǤɎ": "nzgy", "Ǿ": "o", "Лодзь": "лодзь",
	} {
		if got := NormalizeText(text); got != want {
			t.Errorf("NormalizeText(%q) = %q, want %q", text, got, want)
		}
	}
}
