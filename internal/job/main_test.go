package job_test

import (
	"testing"

	"driftless/internal/pg/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
