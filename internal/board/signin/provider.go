package signin

// Provider is one issuer that people may sign in with.
type Provider struct {
	// Name is the provider in paths: lower case letters.
	Name string
	// Label is what people know it by.
	Label string
	// Issuer is its identifier, under which its metadata is found (OpenID Connect
	// Discovery 1.0, section 4).
	Issuer string
	// ClientID and ClientSecret are what it gave the board.
	ClientID, ClientSecret string

	// symmetric lets ID tokens be signed with the client secret too.
	symmetric bool
	// inBody sends the secret in the body whatever the metadata says.
	inBody bool
	// noMail takes no address from it, whatever it claims.
	noMail bool
	scopes []string
}

// Google is Google's issuer.
func Google(clientID, clientSecret string) Provider {
	return Provider{
		Name: "google", Label: "Google", Issuer: "https://accounts.google.com", ClientID: clientID, ClientSecret: clientSecret,
		scopes: []string{"openid", "email"},
	}
}

// LINE is LINE Login. For web channels it signs ID tokens with HS256 and the channel
// secret, it takes the secret in the body, and it does not say whether an address was
// verified, so that none is asked for (LINE Developers, "Get profile information from
// ID tokens" and "Integrating LINE Login with your web app").
func LINE(channelID, channelSecret string) Provider {
	return LINEAt("https://access.line.me", channelID, channelSecret)
}

// LINEAt is LINE Login at another address, such as that of a stand-in.
func LINEAt(issuer, channelID, channelSecret string) Provider {
	return Provider{
		Name: "line", Label: "LINE", Issuer: issuer, ClientID: channelID, ClientSecret: channelSecret,
		symmetric: true, inBody: true, noMail: true, scopes: []string{"openid", "profile"},
	}
}

// Other is any issuer of OpenID Connect.
func Other(label, issuer, clientID, clientSecret string) Provider {
	return Provider{
		Name: "oidc", Label: label, Issuer: issuer, ClientID: clientID, ClientSecret: clientSecret,
		scopes: []string{"openid", "email"},
	}
}
