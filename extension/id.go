package extension

// ID is the extension's fixed id: Chrome derives it from the manifest's key,
// the native-host manifest allows exactly this origin.
const ID = "goiknkdhmebmlnmadphnbcddeddhhpjp"
