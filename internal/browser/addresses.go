package browser

import "net/netip"

// special are the parts of the address space that are not the public internet.
var special = []struct {
	prefix netip.Prefix
	reason string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "it names this machine"},
	{netip.MustParsePrefix("10.0.0.0/8"), "it is in a private network"},
	{netip.MustParsePrefix("100.64.0.0/10"), "it is in a provider's private network"},
	{netip.MustParsePrefix("127.0.0.0/8"), "it names this machine"},
	{netip.MustParsePrefix("169.254.0.0/16"), "it is link-local, where cloud machines keep their secrets"},
	{netip.MustParsePrefix("172.16.0.0/12"), "it is in a private network"},
	{netip.MustParsePrefix("192.0.0.0/24"), "it is reserved"},
	{netip.MustParsePrefix("192.0.2.0/24"), "it is reserved for documentation"},
	{netip.MustParsePrefix("192.88.99.0/24"), "it is a tunnel address"},
	{netip.MustParsePrefix("192.168.0.0/16"), "it is in a private network"},
	{netip.MustParsePrefix("198.18.0.0/15"), "it is reserved for tests"},
	{netip.MustParsePrefix("198.51.100.0/24"), "it is reserved for documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "it is reserved for documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "it is a multicast address"},
	{netip.MustParsePrefix("240.0.0.0/4"), "it is reserved"},
	{netip.MustParsePrefix("::/128"), "it names this machine"},
	{netip.MustParsePrefix("::1/128"), "it names this machine"},
	{netip.MustParsePrefix("fc00::/7"), "it is in a private network"},
	{netip.MustParsePrefix("fe80::/10"), "it is link-local"},
	{netip.MustParsePrefix("fec0::/10"), "it is in a private network"},
	{netip.MustParsePrefix("ff00::/8"), "it is a multicast address"},
	{netip.MustParsePrefix("2001::/32"), "it is a tunnel address"},
	{netip.MustParsePrefix("2001:db8::/32"), "it is reserved for documentation"},
	{netip.MustParsePrefix("3fff::/20"), "it is reserved for documentation"},
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

// notPublic says why an address is not on the public internet, or "".
func notPublic(a netip.Addr) string {
	if a.Zone() != "" {
		return "it is link-local"
	}
	a = a.Unmap()
	for _, s := range special {
		if s.prefix.Contains(a) {
			return s.reason
		}
	}
	if !a.Is6() {
		return ""
	}
	for _, e := range embeddings {
		if e.prefix.Contains(a) {
			b := a.As16()
			return notPublic(netip.AddrFrom4([4]byte(b[e.at : e.at+4])))
		}
	}
	if !globalV6.Contains(a) {
		return "it is reserved"
	}
	return ""
}
