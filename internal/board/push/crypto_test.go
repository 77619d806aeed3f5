package push

import (
	"bytes"
	"crypto/ecdh"
	"net/url"
	"strings"
	"testing"
)

func decode(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := encoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// The example of RFC 8291, section 5, whose intermediate values are in its appendix A.
func TestExampleOfTheEncryption(t *testing.T) {
	private, err := ecdh.P256().NewPrivateKey(decode(t, "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
	if err != nil {
		t.Fatal(err)
	}
	d := Device{
		P256DH: decode(t, "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
		Auth:   decode(t, "BTBZMqHH6r4Tts7J_aSIgg"),
	}
	got, err := once{decode(t, "DGv6ra1nlYgDCS1FRnbzlw"), private}.seal(d, []byte("When I grow up, I want to be a watermelon\x02"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_" +
		"yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
	if encoding.EncodeToString(got) != want {
		t.Errorf("got %s\nwant %s", encoding.EncodeToString(got), want)
	}
	them, err := ecdh.P256().NewPrivateKey(decode(t, "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := (browser{private: them, auth: d.Auth}).open(got); err != nil || !bytes.HasPrefix(text, []byte("When I grow up")) {
		t.Errorf("the reader of these tests: %q, %v", text, err)
	}
}

// The example of RFC 8292, section 2.4, passes the check of these tests, and so does
// what the board sends.
func TestAuthorization(t *testing.T) {
	const example = "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0" +
		".i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, " +
		"k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
	if claims, _, err := signed(example); err != nil || claims["aud"] != "https://push.example.net" {
		t.Fatalf("the example: %v, %v", claims, err)
	}
	key, err := NewKey([]byte(strings.Repeat("s", 32)))
	if err != nil {
		t.Fatal(err)
	}
	header, err := key.authorization(&url.URL{Scheme: "https", Host: "push.example.net:443", Path: "/secret/path"}, "mailto:push@example.com", noon)
	if err != nil {
		t.Fatal(err)
	}
	claims, public, err := signed(header)
	if err != nil || public != key.Public() || claims["aud"] != "https://push.example.net:443" || claims["sub"] != "mailto:push@example.com" {
		t.Errorf("%v with %s, %v", claims, public, err)
	}
	if life := int64(claims["exp"].(float64)) - noon.Unix(); life <= 0 || life > 24*3600 {
		t.Errorf("it is good for %d seconds", life)
	}
}

// The same secret gives the same key, another one another key, and none without one.
func TestKeyOfASecret(t *testing.T) {
	seen := map[string]bool{}
	for _, secret := range []string{strings.Repeat("a", 32), strings.Repeat("a", 32), strings.Repeat("b", 64)} {
		k, err := NewKey([]byte(secret))
		if err != nil || len(k.Public()) != 87 {
			t.Fatalf("%q, %v", k.Public(), err)
		}
		seen[k.Public()] = true
	}
	if len(seen) != 2 {
		t.Errorf("two secrets gave %d keys", len(seen))
	}
	if _, err := NewKey([]byte("short")); err == nil {
		t.Error("a short secret is taken")
	}
	if _, err := keyOf(make([]byte, 32)); err == nil {
		t.Error("zero is taken for a key")
	}
}

// The length of a message tells little, and never is more than what push services take.
func TestPadding(t *testing.T) {
	for text, want := range map[int]int{0: 513, 1: 513, 511: 513, 512: 1025, 3000: 3073, longest: longest + 1} {
		got := padded(bytes.Repeat([]byte("x"), text))
		if len(got) != want || got[text] != 2 {
			t.Errorf("%d bytes become %d, want %d", text, len(got), want)
		}
		if whole := 86 + len(got) + 16; whole > 4096 {
			t.Errorf("%d bytes become a body of %d", text, whole)
		}
	}
}
