package store_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"frontdesk.dev/frontdesk/internal/store"
	"frontdesk.dev/frontdesk/internal/store/storetest"
)

const named = "desk.example.com"

func TestOneOrdersACertificate(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	claim := func(now time.Time, want bool) time.Time {
		t.Helper()
		until := now.Add(time.Minute)
		if _, mine, err := s.ClaimCertificateForWorker(ctx, named, now, until); err != nil || mine != want {
			t.Fatalf("claiming: %v, %v", mine, err)
		}
		return until
	}
	first := claim(day, true)
	claim(day.Add(time.Second), false)
	second := claim(first, true) // the first node is gone
	if err := s.FailCertificateForWorker(ctx, store.Certificate{Domain: named, Attempts: 7, FailedAt: day, Failure: "late"}, first); err != nil {
		t.Fatal(err)
	}
	claim(day.Add(90*time.Second), false) // who comes late ends nobody else's claim
	failed := store.Certificate{Domain: named, Attempts: 1, FailedAt: second, Failure: "no", RetryAt: second.Add(time.Hour)}
	if err := s.FailCertificateForWorker(ctx, failed, second); err != nil {
		t.Fatal(err)
	}
	claim(second.Add(time.Hour-time.Second), false)
	third := claim(second.Add(time.Hour), true)
	if err := s.ReleaseCertificateForWorker(ctx, named, third); err != nil {
		t.Fatal(err)
	}
	fourth := claim(second.Add(time.Hour+time.Second), true)
	issued := store.Certificate{Domain: named, Directory: "https://ca", Sealed: []byte{1}, IssuedAt: day, ExpiresAt: day.Add(48 * time.Hour)}
	earlier := store.Certificate{Domain: named, Directory: "https://ca", Sealed: []byte{2}, IssuedAt: day, ExpiresAt: day.Add(24 * time.Hour)}
	for _, c := range []store.Certificate{issued, earlier} {
		if err := s.SaveCertificateForWorker(ctx, c, fourth); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.CertificatesForWorker(ctx)
	if err != nil || len(all) != 1 {
		t.Fatalf("there are %v, %v", all, err)
	}
	if c := all[0]; !bytes.Equal(c.Sealed, issued.Sealed) || !c.ExpiresAt.Equal(issued.ExpiresAt) || c.Attempts != 0 || c.Failure != "" || !c.FailedAt.IsZero() {
		t.Errorf("it is %+v", c)
	}
	claim(second.Add(time.Hour+2*time.Second), true)
}

func TestChallengesAreForgotten(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for i, token := range []string{"a", "b", "c"} {
		if err := s.AddChallengeForWorker(ctx, named, token, day, day.Add(time.Duration(i+1)*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.ForgetChallengeForWorker(ctx, named, "b"); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[time.Duration][]string{0: {"c", "a"}, time.Minute: {"c"}, time.Hour: nil} {
		if got, err := s.ChallengesForWorker(ctx, named, day.Add(at)); err != nil || !slices.Equal(got, want) {
			t.Errorf("after %s there are %q, %v", at, got, err)
		}
	}
	if got, err := s.ChallengesForWorker(ctx, "other.example.com", day); err != nil || len(got) > 0 {
		t.Errorf("another name has %q, %v", got, err)
	}
}

// Of nodes that make an account at once, the first one's key is everybody's.
func TestOneAccountForAllNodes(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for _, sealed := range [][]byte{{1}, {2}} {
		if kept, err := s.AddCertificateAccountForWorker(ctx, "https://ca", sealed, day); err != nil || !bytes.Equal(kept, []byte{1}) {
			t.Errorf("kept is %v, %v", kept, err)
		}
	}
	if got, err := s.CertificateAccountForWorker(ctx, "https://other"); err != nil || got != nil {
		t.Errorf("another authority has %v, %v", got, err)
	}
}
