// Package proof holds the tests of the assembled house: whole blocks sold through the real sale and
// recounted, and the real binary killed under load.
//
// Its one promise: what these tests find right was found by re-reading what is recorded, never by
// asking the code that recorded it.
package proof
