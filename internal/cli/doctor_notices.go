package cli

import (
	"strings"
	"time"

	"frontdesk.dev/frontdesk/internal/app"
	"frontdesk.dev/frontdesk/internal/frontdesk"
	"frontdesk.dev/frontdesk/internal/store"
)

// checkNotices looks for channels that are not set up though agents want them,
// and for notices that did not reach anybody.
func (d *doctor) checkNotices(s *store.Store) {
	const check = "notices"
	if _, err := app.OpenMail(d.settings); err != nil {
		d.fail(check, "Correct FRONTDESK_SMTP and FRONTDESK_MAIL_FROM; `frontdesk notice try ADDRESS` sends a test.", "%v", err)
	}
	if _, err := app.OpenText(d.settings); err != nil {
		d.fail(check, "Correct FRONTDESK_TEXT, FRONTDESK_TEXT_KEY and FRONTDESK_TEXT_FROM; `frontdesk notice try NUMBER` sends a test.", "%v", err)
	}
	wanting, err := d.withoutChannel(s)
	switch {
	case err != nil:
		d.fail(check, d.awayFix(), "agents cannot be read: %v", cause(err))
		return
	case len(wanting) > 0:
		d.warn(check, "Set FRONTDESK_SMTP or FRONTDESK_TEXT; docs/notices.md says how. `frontdesk notice show` says what each agent wants.",
			"people are not told, because this server has no channel for it: %s", strings.Join(wanting, ", "))
	}
	now := time.Now()
	if !d.settings.Now.IsZero() {
		now = d.settings.Now
	}
	counts, err := s.CountNoticesForWorker(d.ctx, now.Add(-24*time.Hour))
	switch {
	case err != nil:
		d.fail(check, d.awayFix(), "they cannot be read: %v", cause(err))
	case counts[frontdesk.NoticeDead]+counts[frontdesk.NoticeFailed] > 0:
		d.warn(check, "`frontdesk notice list --tenant T --status dead`, and --status failed, say why for each; `frontdesk notice retry` tries one again, with --dead all that were given up.",
			"in the last 24 hours %d were given up, and %d failed and are tried again; %d were sent", counts[frontdesk.NoticeDead], counts[frontdesk.NoticeFailed], counts[frontdesk.NoticeSent])
	}
}

// withoutChannel are the agents that want to tell people by a channel that is
// not set up, as tenant/agent.
func (d *doctor) withoutChannel(s *store.Store) (slugs []string, err error) {
	tenants, err := s.Tenants(d.ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tenants {
		agents, err := s.Agents(d.ctx, frontdesk.Owner{TenantID: t.ID, Live: true})
		if err != nil {
			return nil, err
		}
		for _, a := range agents {
			if a.Settings.Notices.Unreachable(d.settings.SMTP != "", d.settings.Text != "") {
				slugs = append(slugs, t.Slug+"/"+a.Slug)
			}
		}
	}
	return slugs, nil
}
