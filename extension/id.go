package extension

// ID is the fixed id of the extension that is loaded unpacked: Chrome derives it from
// the manifest's key.
const ID = "goiknkdhmebmlnmadphnbcddeddhhpjp"

// StoreID is the id that the Chrome Web Store gave the extension; empty as long as it
// is not published there.
const StoreID = ""

// IDs are the extensions that may use the program: the native host's manifest allows
// their origins, the shim and the broker serve no other.
func IDs() []string {
	if StoreID == "" {
		return []string{ID}
	}
	return []string{ID, StoreID}
}
