//go:build !unix

package output

import "os"

func unlink(*os.File) {}
