package auth

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"time"
)

// LocalIssuer vouches for the user of this machine. No token can name it: an
// issuer of tokens is a URL.
const LocalIssuer = "local"

// Principal is who calls. Its zero value is nobody and has no scope.
type Principal struct {
	// Issuer is who vouches for the rest: the issuer of the token, exactly as
	// configured.
	Issuer string
	// Subject is the person or program, a name that only its issuer explains
	// (RFC 7519 section 4.1.2).
	Subject string
	// Client is the program that acts for the subject (RFC 9068 section 2.2).
	Client string
	// Scopes are what was granted, as granted; see Has for what they include.
	Scopes []string
	// Session is the protocol's session, when there is one.
	Session string
	// Expires is when the proof of all this ends; zero is never.
	Expires time.Time

	known *identity // see Identified
}

// identity is an ID beside what it is of.
type identity struct{ issuer, subject, client, id string }

// Identified is p with its ID worked out, for one that is asked for it many times.
func (p Principal) Identified() Principal {
	p.known = nil
	p.known = &identity{p.Issuer, p.Subject, p.Client, p.ID()}
	return p
}

// Local is the user of this machine, who may do everything.
func Local() Principal { return Principal{Issuer: LocalIssuer, Subject: LocalIssuer} }

// IsLocal reports whether p is the user of this machine.
func (p Principal) IsLocal() bool {
	return p.Issuer == LocalIssuer && p.Subject == LocalIssuer && p.Client == ""
}

// ID is what sessions and handles are bound to: the same for every token of one
// subject at one issuer, different for any two subjects or issuers, of printable
// ASCII and at most 47 bytes. It does not reveal the subject. A program without
// a subject is known by its client, which is nobody's subject. The zero
// Principal has the empty ID, to which nothing should be bound.
func (p Principal) ID() string {
	if p.IsLocal() {
		return LocalIssuer
	}
	if k := p.known; k != nil && k.issuer == p.Issuer && k.subject == p.Subject && k.client == p.Client {
		return k.id
	}
	kind, name := "sub:", p.Subject
	if name == "" {
		kind, name = "cli:", p.Client
	}
	if name == "" {
		return ""
	}
	// The length in front keeps "a"+"bc" and "ab"+"c" apart.
	named := binary.BigEndian.AppendUint64(make([]byte, 0, 128), uint64(len(p.Issuer)))
	sum := sha256.Sum256(append(append(named, p.Issuer...), name...))
	return kind + base64.RawURLEncoding.EncodeToString(sum[:])
}

// Expired reports whether the proof has ended by now.
func (p Principal) Expired(now time.Time) bool { return !p.Expires.IsZero() && !now.Before(p.Expires) }

// Equal reports whether both are the same in every respect.
func (p Principal) Equal(q Principal) bool {
	return p.Issuer == q.Issuer && p.Subject == q.Subject && p.Client == q.Client &&
		p.Session == q.Session && p.Expires.Equal(q.Expires) && slices.Equal(p.Scopes, q.Scopes)
}
