package reach_test

import (
	"net/netip"
	"testing"

	"github.com/legwork-mcp/legwork/internal/reach"
)

func TestNotPublic(t *testing.T) {
	for _, a := range []string{
		"127.0.0.1", "127.8.9.1", "0.0.0.0", "0.1.2.3", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1",
		"169.254.169.254", "100.64.0.1", "100.127.255.254", "192.0.0.8", "198.18.0.1", "224.0.0.1", "239.1.1.1", "255.255.255.255",
		"192.0.2.1", "198.51.100.7", "203.0.113.9",
		"::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1", "fec0::1", "ff02::1", "2001:db8::1", "2001::1", "4000::1",
		"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::7f00:1",
		"64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "2002:7f00:1::", "2002:c0a8:101::1",
	} {
		if place := reach.NotPublic(netip.MustParseAddr(a)); reach.Why(place) == "" {
			t.Errorf("%s counts as public", a)
		}
	}
	for _, a := range []string{"8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "193.0.0.1", "2606:4700::1111", "64:ff9b::8.8.8.8", "2002:808:808::1", "::ffff:8.8.8.8"} {
		if reason := reach.NotPublic(netip.MustParseAddr(a)); reason != "" {
			t.Errorf("%s: %s", a, reason)
		}
	}
}
