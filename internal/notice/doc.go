// Package notice tells people what the book says: their appointments to
// customers, and what comes in to owners.
package notice
