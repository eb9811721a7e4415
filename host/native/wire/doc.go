// Package wire has the messages that Tabwright's parts send each other, with the names of the
// methods and events. The TypeScript of the extension is generated from it (tsgen).
//
// PROTOCOL.md describes every message, and a test checks it against the code. Start
// reading at Message.
package wire
