module frontdesk.dev/frontdesk/sdk/go

go 1.24.0
