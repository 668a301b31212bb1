package reception

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"time"

	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
)

// opening is how a conversation began. Until its visitor says something it stands
// nowhere but in the visitor's token, sealed: so a page that is opened and left
// costs nothing that lasts, and any node can take the first message.
type opening struct {
	Tenant    frontdesk.ID
	Live      bool
	Agent     frontdesk.ID
	Channel   frontdesk.Channel
	Language  string
	StartedAt int64 // microseconds
}

// tokens makes what a visitor shows to go on with a conversation.
type tokens struct{ box *seal.Box }

// newTokens seals with a box or, if there is none, with a key that nobody else
// has: then a first message must come to the same process.
func newTokens(box *seal.Box) tokens {
	if box == nil {
		var key [32]byte
		rand.Read(key[:])
		box, _ = seal.New(frontdesk.Secret(base64.StdEncoding.EncodeToString(key[:]))) // as long as a key must be
	}
	return tokens{box}
}

func tokenPlace(id frontdesk.ID) string { return "conversation " + string(id) }

// make seals how a conversation begins.
func (t tokens) make(row store.Conversation) (frontdesk.Secret, error) {
	text, err := json.Marshal(opening{
		row.Owner.TenantID, row.Owner.Live, row.AgentID, row.Channel, row.Language, row.StartedAt.UnixMicro(),
	})
	if err != nil {
		return "", err
	}
	return frontdesk.Secret(base64.RawURLEncoding.EncodeToString(t.box.Seal(tokenPlace(row.ID), text))), nil
}

// read is the conversation that a token was made for, as it was when it began.
func (t tokens) read(id frontdesk.ID, token string) (row store.Conversation, ok bool) {
	sealed, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return row, false
	}
	text, err := t.box.Open(tokenPlace(id), sealed)
	if err != nil {
		return row, false
	}
	var o opening
	if json.Unmarshal(text, &o) != nil {
		return row, false
	}
	began := time.UnixMicro(o.StartedAt).UTC()
	return store.Conversation{
		Owner: frontdesk.Owner{TenantID: o.Tenant, Live: o.Live}, ID: id, AgentID: o.Agent, Channel: o.Channel,
		Token: digest(token), Language: o.Language, StartedAt: began, TouchedAt: began,
	}, true
}

// digest is what is kept of a token.
func digest(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// opens says whether a token is the one that was kept.
func opens(token string, kept []byte) bool {
	return subtle.ConstantTimeCompare(digest(token), kept) == 1
}
