// Package push tells the devices of people through the push services of their
// browsers (RFC 8030): it keeps the devices, encrypts what is said so that no push
// service reads it (RFC 8291), and shows who sends it (RFC 8292). Start with New.
//
// It never sends to an address that is not on the public internet, never keeps a device
// that its push service says is gone, and never puts an address or a key of a device
// into an error.
package push
