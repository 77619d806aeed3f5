package reach

import "net/netip"

// special are the parts of the address space that are not the public internet.
var special = []struct {
	prefix netip.Prefix
	place  string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "machine"},
	{netip.MustParsePrefix("10.0.0.0/8"), "private"},
	{netip.MustParsePrefix("100.64.0.0/10"), "carrier"},
	{netip.MustParsePrefix("127.0.0.0/8"), "machine"},
	{netip.MustParsePrefix("169.254.0.0/16"), "metadata"},
	{netip.MustParsePrefix("172.16.0.0/12"), "private"},
	{netip.MustParsePrefix("192.0.0.0/24"), "reserved"},
	{netip.MustParsePrefix("192.0.2.0/24"), "documentation"},
	{netip.MustParsePrefix("192.88.99.0/24"), "tunnel"},
	{netip.MustParsePrefix("192.168.0.0/16"), "private"},
	{netip.MustParsePrefix("198.18.0.0/15"), "tests"},
	{netip.MustParsePrefix("198.51.100.0/24"), "documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "multicast"},
	{netip.MustParsePrefix("240.0.0.0/4"), "reserved"},
	{netip.MustParsePrefix("::/128"), "machine"},
	{netip.MustParsePrefix("::1/128"), "machine"},
	{netip.MustParsePrefix("fc00::/7"), "private"},
	{netip.MustParsePrefix("fe80::/10"), "link"},
	{netip.MustParsePrefix("fec0::/10"), "private"},
	{netip.MustParsePrefix("ff00::/8"), "multicast"},
	{netip.MustParsePrefix("2001::/32"), "tunnel"},
	{netip.MustParsePrefix("2001:db8::/32"), "documentation"},
	{netip.MustParsePrefix("3fff::/20"), "documentation"},
}

// places say in words where an address is.
var places = map[string]string{
	"machine":       "it names this machine",
	"private":       "it is in a private network",
	"carrier":       "it is in a provider's private network",
	"metadata":      "it is link-local, where cloud machines keep their secrets",
	"documentation": "it is reserved for documentation",
	"tests":         "it is reserved for tests",
	"reserved":      "it is reserved",
	"tunnel":        "it is a tunnel address",
	"multicast":     "it is a multicast address",
	"link":          "it is link-local",
}

// The ways to put an IPv4 address into an IPv6 address, and at which byte.
var embeddings = []struct {
	prefix netip.Prefix
	at     int
}{
	{netip.MustParsePrefix("64:ff9b::/96"), 12}, // NAT64
	{netip.MustParsePrefix("2002::/16"), 2},     // 6to4
}

// globalV6 is all of IPv6 that has been given out.
var globalV6 = netip.MustParsePrefix("2000::/3")

// Why says in words what keeps an address in a place of NotPublic from being used,
// or nothing for a word that is no place.
func Why(place string) string { return places[place] }

// NotPublic says in which place an address is that is not on the public internet,
// in a word for Why, or "" for one that is. IPv4 addresses that are written inside
// IPv6 ones count as what they lead to.
func NotPublic(a netip.Addr) string {
	if a.Zone() != "" {
		return "link"
	}
	a = a.Unmap()
	for _, s := range special {
		if s.prefix.Contains(a) {
			return s.place
		}
	}
	if !a.Is6() {
		return ""
	}
	for _, e := range embeddings {
		if e.prefix.Contains(a) {
			b := a.As16()
			return NotPublic(netip.AddrFrom4([4]byte(b[e.at : e.at+4])))
		}
	}
	if !globalV6.Contains(a) {
		return "reserved"
	}
	return ""
}
