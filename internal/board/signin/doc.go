// Package signin lets people sign in with an account that they have elsewhere:
// Google, LINE, or any issuer of OpenID Connect. It runs the authorization code
// flow with PKCE, a state and a nonce, and verifies what comes back. Start with New.
//
// It keeps nothing: the attempt goes to the caller, who binds it to the browser. It
// never takes an address for verified that the issuer does not call so, never logs
// a code or a token, and does not know the board's accounts.
package signin
