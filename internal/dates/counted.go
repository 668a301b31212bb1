package dates

// From is the reading with what it counts from: "an hour later" is later than
// what stands.
func (r Reading) From(s Standing) Reading {
	r.standing = s
	return r
}
