package login

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// assertionFor is how long an assertion is good: it is used at once.
const assertionFor = time.Minute

// assertion says who the client is with its key (RFC 7523, 3; OpenID Connect Core 1.0,
// 9, private_key_jwt). Its audience is the issuer, as the extension for client
// credentials of MCP has it.
func (l *Login) assertion(f found, k known) (string, error) {
	method, err := signing(l.o.Client)
	if err != nil {
		return "", err
	}
	now := l.o.Now()
	token := jwt.NewWithClaims(method, jwt.RegisteredClaims{
		Issuer: k.id, Subject: k.id, Audience: jwt.ClaimStrings{f.server.issuer}, ID: rand.Text(),
		IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(assertionFor)),
	})
	if l.o.Client.KeyID != "" {
		token.Header["kid"] = l.o.Client.KeyID
	}
	return token.SignedString(l.o.Client.Key)
}

// Identify is a client with the credential that it was given: a private key in PEM
// (PKCS #8, RFC 5958; also RFC 5915 and RFC 8017), with which it signs, or else a secret.
func Identify(id, credential string) (Client, error) {
	block, _ := pem.Decode([]byte(credential))
	if block == nil {
		return Client{ID: id, Secret: credential}, nil
	}
	c := Client{ID: id, Method: MethodJWT}
	for _, parse := range []func([]byte) (any, error){
		x509.ParsePKCS8PrivateKey,
		func(der []byte) (any, error) { return x509.ParseECPrivateKey(der) },
		func(der []byte) (any, error) { return x509.ParsePKCS1PrivateKey(der) },
	} {
		key, err := parse(block.Bytes)
		if signer, ok := key.(crypto.Signer); ok && err == nil {
			c.Key = signer
			break
		}
	}
	if c.Key == nil {
		return Client{}, errors.New("read the key of a client: it is no private key without a password")
	}
	_, err := signing(c)
	return c, err
}

// signing is the algorithm of a key (RFC 7518, 3.1; RFC 8037, 3.1).
func signing(c Client) (jwt.SigningMethod, error) {
	switch key := c.Key.(type) {
	case *ecdsa.PrivateKey:
		switch key.Curve.Params().BitSize {
		case 256:
			return jwt.SigningMethodES256, nil
		case 384:
			return jwt.SigningMethodES384, nil
		case 521:
			return jwt.SigningMethodES512, nil
		}
	case *rsa.PrivateKey:
		return jwt.SigningMethodRS256, nil
	case ed25519.PrivateKey:
		return jwt.SigningMethodEdDSA, nil
	}
	return nil, errors.New("its key is of no kind that can sign here")
}
