//go:build !unix

package file

import (
	"io/fs"
	"os"
)

func keepOwner(*os.Root, string, fs.FileInfo) {}
