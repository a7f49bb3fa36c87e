package provider_test

import (
	"context"
	"testing"

	"go.uber.org/goleak"
)

type ctx = context.Context

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
