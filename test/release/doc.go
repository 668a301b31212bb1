// Package release holds what make release gives out to what it promises: the
// same bytes from any directory, checksums that are right, a list of everything
// inside, packages that install and remove cleanly, and an image that serves
// from a root that it cannot write to.
//
// One target is built, once, and once more from elsewhere. Packages are
// installed for real, in a root of their own: this machine's, under a layer that
// takes all changes and is thrown away.
package release
