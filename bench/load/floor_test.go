package main

import (
	"context"
	"net/http"
	"testing"
	"time"

	"driftless/bench/process"
)

func TestTheFloorAnswersItsEmptyToolAndNobodyElse(t *testing.T) {
	t.Parallel()
	address, err := process.FreeAddr(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serveFloor(ctx, address) }()
	url := "http://" + address
	for again := time.NewTicker(10 * time.Millisecond); ; <-again.C {
		answer, err := http.Get(url + "/healthz")
		if err == nil {
			_ = answer.Body.Close()
			break
		}
		select {
		case err := <-ended:
			t.Fatalf("the floor ended: %v", err)
		default:
		}
	}
	client, done := newClient(1)
	defer done()
	if err := post(t.Context(), client, url+"/mcp", request{floorToken, emptyCall(nil, space{})}); err != nil {
		t.Error(err)
	}
	if err := post(t.Context(), client, url+"/mcp", request{"dat_other", emptyCall(nil, space{})}); err == nil {
		t.Error("another token is let in")
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
