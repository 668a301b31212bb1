package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"frontdesk.dev/frontdesk/internal/account"
	"frontdesk.dev/frontdesk/internal/calendar"
	"frontdesk.dev/frontdesk/internal/config"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/seal"
	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/webhook"
)

// OpenBox returns the box of the master key: the one in the settings, or the one
// in the data directory. A new key is made only for a database in which nothing
// is sealed; a database that another key has sealed is refused.
func OpenBox(ctx context.Context, s config.Settings, db *store.Store, now time.Time) (*seal.Box, error) {
	if KeyFileMissing(s) {
		sealed, err := isSealed(ctx, db)
		if err != nil {
			return nil, err
		}
		if sealed {
			return nil, keyMissing(s)
		}
	}
	box, err := NewBox(s)
	if err != nil {
		return nil, err
	}
	return box, enterKey(ctx, s, db, box, now)
}

// NewBox returns the box of the master key whatever the database holds. The key
// in the data directory is made if it is missing.
func NewBox(s config.Settings) (*seal.Box, error) {
	key := s.MasterKey
	if key == "" {
		var err error
		if key, _, err = seal.LoadOrCreate(s.MasterKeyFile()); err != nil {
			return nil, err
		}
	}
	var older []frontdesk.Secret
	for _, old := range fields(s.OldMasterKeys.Reveal()) {
		older = append(older, frontdesk.Secret(old))
	}
	return seal.New(key, older...)
}

// KeyFileMissing says whether the master key should be in the data directory and
// is not.
func KeyFileMissing(s config.Settings) bool {
	if s.MasterKey != "" {
		return false
	}
	_, err := os.Stat(s.MasterKeyFile())
	return errors.Is(err, fs.ErrNotExist)
}

// CheckKey says whether a box opens what the database holds, and changes nothing.
// The box is nil for who has no key.
func CheckKey(ctx context.Context, s config.Settings, db *store.Store, box *seal.Box) error {
	if box == nil {
		sealed, err := isSealed(ctx, db)
		if err == nil && sealed {
			err = keyMissing(s)
		}
		return err
	}
	in, known, err := db.InstallationForWorker(ctx)
	if err != nil {
		return err
	}
	if known {
		return checkInstallation(s, box, in)
	}
	values, err := sealedValues(ctx, db)
	if err == nil && len(values) > 0 && !box.OpensAny(values) {
		err = keyWrong(s)
	}
	return err
}

// enterKey makes sure that the database belongs to the box, and notes that it
// does where that was not known.
func enterKey(ctx context.Context, s config.Settings, db *store.Store, box *seal.Box, now time.Time) error {
	if err := CheckKey(ctx, s, db, box); err != nil {
		return err
	}
	in, known, err := db.InstallationForWorker(ctx)
	if err == nil && !known {
		id := frontdesk.NewID(now)
		in, err = db.EnterInstallationForWorker(ctx, store.Installation{ID: id, Sealed: box.Seal(installationPlace(id), []byte(knownText)), MadeAt: now})
	}
	if err != nil {
		return err
	}
	// Another node may have been faster, with another key.
	return checkInstallation(s, box, in)
}

// Rekeyed notes that everything in the database is sealed with the box's present
// key from now on.
func Rekeyed(ctx context.Context, db *store.Store, box *seal.Box, now time.Time) error {
	id := frontdesk.NewID(now)
	in, err := db.EnterInstallationForWorker(ctx, store.Installation{ID: id, Sealed: box.Seal(installationPlace(id), []byte(knownText)), MadeAt: now})
	if err != nil {
		return err
	}
	return db.ResealInstallationForWorker(ctx, box.Seal(installationPlace(in.ID), []byte(knownText)))
}

const knownText = "frontdesk"

func installationPlace(id frontdesk.ID) string { return "installation " + string(id) }

func checkInstallation(s config.Settings, box *seal.Box, in store.Installation) error {
	if text, err := box.Open(installationPlace(in.ID), in.Sealed); err != nil || string(text) != knownText {
		return keyWrong(s)
	}
	return nil
}

// isSealed says whether a master key has sealed something in the database.
func isSealed(ctx context.Context, db *store.Store) (bool, error) {
	if _, known, err := db.InstallationForWorker(ctx); known || err != nil {
		return known, err
	}
	values, err := sealedValues(ctx, db)
	return len(values) > 0, err
}

// triedValues is how many values of a kind a key is tried on in a database that
// does not say whose it is. Some may be left from a key that was lost before, so
// one that opens is enough.
const triedValues = 50

func sealedValues(ctx context.Context, db *store.Store) ([]seal.Value, error) {
	connections, err := webhook.Sealed(ctx, db, triedValues)
	if err != nil {
		return nil, err
	}
	calendars, err := calendar.Sealed(ctx, db, triedValues)
	if err != nil {
		return nil, err
	}
	numbers, err := account.SealedNumbers(ctx, db)
	return append(append(connections, calendars...), numbers...), err
}

// LostWithKey is what has to be entered anew when a master key is gone for good.
// Certificates are ordered again, and kept answers last a day.
const LostWithKey = "the signing secrets of connections, the secrets of telephone numbers, and the addresses and passwords of outside calendars"

// abandon is what remains to be done when a key is gone for good.
const abandon = "If that key is gone for good, `frontdesk rekey --abandon-sealed --yes` goes on without it: what it sealed is then lost and has to be entered anew: " + LostWithKey

// joining is what a node is told that shares its database with others; "" with the
// embedded one, which has no others.
func joining(s config.Settings) string {
	if !store.IsPostgres(s.Database.Reveal()) {
		return ""
	}
	return fmt.Sprintf("If other nodes serve this database already, this one needs the key that they have: set FRONTDESK_MASTER_KEY to theirs, or copy their master.key to %s. ", s.MasterKeyFile())
}

func keyMissing(s config.Settings) error {
	return &frontdesk.Error{
		Kind: frontdesk.Internal, Code: "master_key_missing",
		Message: fmt.Sprintf("the master key of this database is missing: %s does not exist, and no new one is made in its place. %sPut the file back from where it is kept (`frontdesk backup` does not copy it), or set FRONTDESK_MASTER_KEY to what it held. %s", s.MasterKeyFile(), joining(s), abandon),
	}
}

func keyWrong(s config.Settings) error {
	from := "FRONTDESK_MASTER_KEY"
	if s.MasterKey == "" {
		from = s.MasterKeyFile()
	}
	return &frontdesk.Error{
		Kind: frontdesk.Internal, Code: "master_key_wrong",
		Message: fmt.Sprintf("%s is not the master key of this database: another key sealed what it holds. %sPut that key back; if the key is being changed, give the earlier one in FRONTDESK_MASTER_KEY_OLD and run `frontdesk rekey`. %s", from, joining(s), abandon),
	}
}
