// Package oauth is the resource server's half of OAuth 2.1: it decides whether a
// bearer token is good and whose it is. Verifier is the type to start from; it
// takes JWTs of an issuer through its keys (RFC 9068), opaque tokens through the
// issuer's introspection (RFC 7662) and static tokens from a file. Challenge and
// Metadata tell clients where to get a better token (RFC 6750, RFC 9728).
//
// It issues no OAuth token and sends none on, except an opaque one to the
// introspection endpoint of its own issuer. It asks no userinfo endpoint, since
// that says nothing about what a token was granted for. It follows no redirect
// and no address that a token names. It never writes a token, or anything that a
// token says, to a log or an error. When it cannot decide, the answer is no.
package oauth
