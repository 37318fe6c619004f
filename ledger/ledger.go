// Package ledger keeps double entry: accounts, postings, and transactions that balance or are refused.
//
// Its one promise: a [Transaction] that exists balances to zero. It decides and holds no
// state; where transactions are recorded is for package store.
package ledger
