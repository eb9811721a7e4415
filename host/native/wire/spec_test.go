package wire

// methodSpec is one method or event with its Go types; generatedSpecs has them
// all.
type methodSpec struct {
	constant string
	name     string
	event    bool
	types    func() (params, result any)
}
