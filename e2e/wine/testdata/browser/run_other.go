//go:build !windows

package main

import "errors"

func run() error { return errors.ErrUnsupported }
