package oauth

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/MicahParks/jwkset"
	"github.com/MicahParks/keyfunc/v3"
)

const (
	// minRSA is required by RFC 7518 section 3.3; maxRSA bounds what one check costs.
	minRSA, maxRSA = 2048, 8192
	// maxKeys is far more than an issuer has while it changes keys.
	maxKeys = 100
)

// keySet are the usable keys of an issuer at one time.
type keySet struct {
	ids    map[string]bool
	lookup keyfunc.Keyfunc
	sum    [sha256.Size]byte // of the document
	// unused says why other keys are not used, a line for each.
	unused []string
}

// readKeys reads a JWK set (RFC 7517). Keys that are not fit for checking
// signatures are left out; a set without any other key is an error.
func readKeys(raw []byte) (*keySet, error) {
	var document struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(raw, &document); err != nil {
		return nil, errors.New("the key set is not JSON of a key set")
	}
	if len(document.Keys) > maxKeys {
		return nil, fmt.Errorf("the key set has more than %d keys", maxKeys)
	}
	set := &keySet{ids: map[string]bool{}, sum: sha256.Sum256(raw)}
	store := jwkset.NewMemoryStorage()
	for i, k := range document.Keys {
		key, err := readKey(k)
		id := key.Marshal().KID
		if err == nil && set.ids[id] {
			err = errors.New("another key before it has the same kid")
		}
		if err == nil {
			err = store.KeyWrite(context.Background(), key) // a map in memory
		}
		if err != nil {
			set.unused = append(set.unused, fmt.Sprintf("key %d: %v", i+1, err))
			continue
		}
		set.ids[id] = true
	}
	if len(set.ids) == 0 {
		return nil, errors.Join(errors.New("the key set has no usable key"), errors.New(fmt.Sprint(set.unused)))
	}
	var err error
	if set.lookup, err = keyfunc.New(keyfunc.Options{Storage: store}); err != nil {
		return nil, errors.New("the key set is not usable")
	}
	return set, nil
}

// readKey takes the public part that a signature is checked with, and only that:
// a certificate or its address says nothing that is used here.
func readKey(raw json.RawMessage) (jwkset.JWK, error) {
	var m jwkset.JWKMarshal
	if err := json.Unmarshal(raw, &m); err != nil {
		return jwkset.JWK{}, errors.New("it is not readable")
	}
	switch {
	case m.KID == "":
		return jwkset.JWK{}, errors.New("it has no kid")
	case m.D != "" || m.K != "":
		return jwkset.JWK{}, errors.New("it is secret, and everybody can read it")
	case m.USE != "" && m.USE != jwkset.UseSig:
		return jwkset.JWK{}, errors.New("it is not for signatures")
	case len(m.KEYOPS) > 0 && !slices.Contains(m.KEYOPS, jwkset.KeyOpsVerify):
		return jwkset.JWK{}, errors.New("it is not for checking signatures")
	}
	public := jwkset.JWKMarshal{KTY: m.KTY, KID: m.KID, ALG: m.ALG, CRV: m.CRV, X: m.X, Y: m.Y, N: m.N, E: m.E}
	key, err := jwkset.NewJWKFromMarshal(public, jwkset.JWKMarshalOptions{}, jwkset.JWKValidateOptions{})
	if err != nil {
		return jwkset.JWK{}, errors.New("it is not a sound public key")
	}
	return key, checkStrength(key.Key())
}

func checkStrength(key any) error {
	switch k := key.(type) {
	case *rsa.PublicKey:
		if n := k.N.BitLen(); n < minRSA || n > maxRSA {
			return fmt.Errorf("RSA of %d bits is not between %d and %d", n, minRSA, maxRSA)
		}
		return nil
	case *ecdsa.PublicKey, ed25519.PublicKey:
		return nil
	}
	return errors.New("its type is not used for signatures")
}
