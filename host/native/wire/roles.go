package wire

// The roles of a hello.
const (
	RoleRelay = "relay"
	RoleCLI   = "cli"
)
