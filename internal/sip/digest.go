package sip

import (
	"fmt"
	"strings"

	gosip "github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"
)

// algorithms are those we sign with, the strongest first.
var algorithms = []string{"SHA-256", "MD5", ""}

// strongest is the challenge of a refusal that is signed best, nil if there is none
// we can sign.
func strongest(res *gosip.Response) (best *digest.Challenge, proxy bool) {
	name := "WWW-Authenticate"
	if res.StatusCode == gosip.StatusProxyAuthRequired {
		name, proxy = "Proxy-Authenticate", true
	}
	rank := len(algorithms)
	for _, value := range values(res, name) {
		c, err := digest.ParseChallenge(value)
		if err != nil {
			continue
		}
		c.Algorithm = strings.ToUpper(c.Algorithm) // some write it small
		for i, algorithm := range algorithms[:rank] {
			if c.Algorithm == algorithm && digest.CanDigest(c) {
				best, rank = c, i
				break
			}
		}
	}
	return best, proxy
}

// sign adds to a request who we are.
func sign(req *gosip.Request, c *digest.Challenge, proxy bool, t Trunk) error {
	credentials, err := digest.Digest(c, digest.Options{
		Method: string(req.Method), URI: req.Recipient.String(), Username: t.User, Password: t.Password.Reveal(), Count: 1,
	})
	if err != nil {
		return fmt.Errorf("sip: signing %s: %w", req.Method, err)
	}
	name := "Authorization"
	if proxy {
		name = "Proxy-Authorization"
	}
	req.RemoveHeader(name)
	req.AppendHeader(gosip.NewHeader(name, credentials.String()))
	return nil
}
