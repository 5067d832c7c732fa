package main

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"driftless/bench/process"
)

// scene is everything that is asked: get against the floor, reading by task and by files in workspaces of two sizes, and all of
// it again in databases of few and of many workspaces.
type scene struct {
	floor *call
	sizes []trio // of one workspace each, the large one last
	crowd []trio // of more and more workspaces of ordinary size
}

// trio is the three reads of one server.
type trio struct {
	topics, workspaces   int
	get, retrieve, files *call
}

func (s scene) calls() []*call {
	out := []*call{s.floor}
	for _, t := range append(s.sizes, s.crowd...) {
		out = append(out, t.get, t.retrieve, t.files)
	}
	return out
}

// hold prints how to ask each server by hand, and waits.
func (s scene) hold(ctx context.Context, dsn string, out io.Writer) {
	_, _ = fmt.Fprintln(out, "floor", s.floor.to.url, floorToken)
	for _, t := range append(s.sizes, s.crowd...) {
		at := t.get.to.spaces[0]
		_, _ = fmt.Fprintln(out, t.get.to.name, t.get.to.url, at.token, at.topics[0], t.get.to.process.ID())
	}
	_, _ = fmt.Fprintln(out, dsn)
	<-ctx.Done()
}

func setTheScene(ctx context.Context, p plan, h *process.House) (s scene, err error) {
	floor, err := startFloor(ctx, h)
	if err != nil {
		return s, err
	}
	s.floor = &call{name: "floor", to: floor, body: emptyCall}
	for _, topics := range []int{p.large / 10, p.large} {
		t, err := start(ctx, p, h, fmt.Sprintf("topics_%d", topics), []int{topics})
		if err != nil {
			return s, err
		}
		s.sizes = append(s.sizes, t)
	}
	for _, workspaces := range crowds(p.many) {
		sizes := make([]int, workspaces)
		for i := range sizes {
			sizes[i] = p.small
		}
		t, err := start(ctx, p, h, "workspaces_"+strconv.Itoa(workspaces), sizes)
		if err != nil {
			return s, err
		}
		s.crowd = append(s.crowd, t)
	}
	return s, nil
}

// crowds are the numbers of workspaces that are compared: ten, a tenth of the most where that is more, and the most.
func crowds(most int) []int {
	if most < 1000 {
		return []int{10, most}
	}
	return []int{10, most / 10, most}
}

func start(ctx context.Context, p plan, h *process.House, name string, sizes []int) (trio, error) {
	on, err := startDriftless(ctx, p, h, name, sizes)
	if err != nil {
		return trio{}, err
	}
	return trio{
		topics: sizes[0], workspaces: len(sizes),
		get:      &call{name: name + " get", to: on, body: getCall},
		retrieve: &call{name: name + " retrieve", to: on, body: retrieveCall},
		files:    &call{name: name + " get_for_files", to: on, body: filesCall},
	}, nil
}
