module export

go 1.24.0

require frontdesk.dev/frontdesk/sdk/go v0.1.0

replace frontdesk.dev/frontdesk/sdk/go => ../../../sdk/go
