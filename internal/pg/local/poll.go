package local

import (
	"context"
	"time"
)

// poll calls try at once and then at every interval, until it reports that it
// is done, fails, or ctx ends. PostgreSQL and other processes publish their
// state in files, and files have no portable event to wait for.
func poll(ctx context.Context, every time.Duration, try func() (done bool, err error)) error {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		done, err := try()
		if done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}
