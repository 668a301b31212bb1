#!/bin/sh
# Before a removal. An upgrade ($1 is upgrade in a deb, 1 in an rpm) leaves the
# service running until the new program is in its place.
set -e

if [ "$1" = remove ] || [ "$1" = 0 ]; then
	if [ -d /run/systemd/system ]; then
		systemctl disable --now frontdesk.service || true
	fi
fi
exit 0
