package scout

import "testing"

// TestIDsInOtherLanguages: letters with accents stay letters.
func TestIDsInOtherLanguages(t *testing.T) {
	for label, want := range map[string]string{"Prénom(s)": "prenom_s", "Straße": "strasse", "Größe (cm)": "grosse_cm", "Año": "ano", "Łódź": "lodz", "お名前": ""} {
		if got := slug(label, maxWords); got != want {
			t.Errorf("%s is %q, want %q", label, got, want)
		}
	}
}
