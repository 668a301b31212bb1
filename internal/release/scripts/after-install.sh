#!/bin/sh
# After an installation or an upgrade, of a deb and of an rpm.
set -e

if ! getent passwd frontdesk >/dev/null; then
	useradd --system --user-group --home-dir /var/lib/frontdesk --no-create-home --shell /usr/sbin/nologin frontdesk
fi
if [ ! -d /var/lib/frontdesk ]; then
	mkdir -m 0700 /var/lib/frontdesk
	chown frontdesk:frontdesk /var/lib/frontdesk
fi
# It may hold passwords: root's to write, the service's to read, nobody else's.
if [ -e /etc/frontdesk/frontdesk.env ]; then
	chown root:frontdesk /etc/frontdesk/frontdesk.env
	chmod 0640 /etc/frontdesk/frontdesk.env
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
	systemctl try-restart frontdesk.service || true
fi
# A deb has the version before in $2, an rpm the number of versions in $1.
if [ "$1" = configure ] && [ -z "$2" ] || [ "$1" = 1 ]; then
	echo "frontdesk is installed and not running. Settings: /etc/frontdesk/frontdesk.env"
	echo "Start it, now and with the machine: systemctl enable --now frontdesk"
fi
exit 0
