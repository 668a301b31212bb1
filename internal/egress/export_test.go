package egress

import "context"

// CheckDial is what the guard says to the address that is about to be dialled.
func CheckDial(address string) error { return control(context.Background(), "tcp", address, nil) }
