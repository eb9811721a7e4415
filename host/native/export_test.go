//go:build unix

package native

// What the tests of the shim, which need rpc and so stand outside, share with
// those in here.
var (
	Bounded      = bounded
	WantCode     = wantCode
	OwnSocket    = ownSocket
	FrameOf      = frame
	HeaderOf     = header
	ShimChunkIDs = uint64(shimChunkIDs)
)
