#!/bin/sh
# After a removal. Data stays, also when a deb is purged: it holds the business's
# calls and appointments, and the key that opens them.
set -e

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
fi
if [ "$1" = remove ] || [ "$1" = purge ] || [ "$1" = 0 ]; then
	if [ -d /var/lib/frontdesk ]; then
		echo "frontdesk's data stays in /var/lib/frontdesk. To destroy it for good:"
		echo "  rm -r /var/lib/frontdesk && userdel frontdesk"
	fi
fi
exit 0
