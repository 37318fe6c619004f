// Package saletest holds what tests of sales share: small invented games, stores that fail on
// purpose, broken sellers' oracle.
//
// Its one promise: [Check] re-derives everything that was recorded from other records, by its own
// arithmetic, so that a lost or doubled unit, cent, play or contribution is a difference it reports.
package saletest
