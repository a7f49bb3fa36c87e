package rollout

import (
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// blobWindow bounds the memory for one blob that is written or read. Repeats
// that lie further apart are not found.
const blobWindow = 1 << 20

// Most blobs are small, and what reads or writes one costs more to make than to
// use.
var (
	zippers   sync.Pool // of *zstd.Encoder
	unzippers sync.Pool // of *zstd.Decoder
)

// zip compresses what r yields to w, and returns how much that was.
func zip(w io.Writer, r io.Reader) (int64, error) {
	z, ok := zippers.Get().(*zstd.Encoder)
	if !ok {
		var err error
		if z, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1),
			zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(blobWindow)); err != nil {
			return 0, err
		}
	}
	defer zippers.Put(z)
	defer z.Reset(nil)
	z.Reset(w)
	n, err := io.Copy(z, r)
	if err != nil {
		return n, err
	}
	return n, z.Close()
}

// unzip calls use with what r holds compressed.
func unzip(r io.Reader, use func(io.Reader) error) error {
	z, ok := unzippers.Get().(*zstd.Decoder)
	if !ok {
		var err error
		if z, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(8*blobWindow)); err != nil {
			return err
		}
	}
	defer unzippers.Put(z)
	defer z.Reset(nil)
	if err := z.Reset(r); err != nil {
		return err
	}
	return use(z)
}
