package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// measure syncs release after release. There are two topics for each thing that was chosen: one is vouched for after each release, the
// other was once, at the first.
func measure(ctx context.Context, s *server, h history) (out outcome, err error) {
	out.module = h.path
	p, err := s.found(ctx, strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(h.path))
	if err != nil {
		return out, err
	}
	if err := h.show(ctx, p, 0); err != nil {
		return out, err
	}
	chosen, err := choose(h.dir)
	if err != nil {
		return out, err
	}
	again, once := make([]topic, 0, len(chosen)), make([]topic, 0, len(chosen))
	for _, t := range chosen {
		out.topics[t.kind]++
		for _, list := range []*[]topic{&again, &once} {
			name := fmt.Sprintf("%s, %d", t.title, len(again)-len(once))
			if t.slug, err = p.create(ctx, name[max(0, len(name)-120):], t.anchors); err != nil {
				return out, err
			}
			*list = append(*list, t)
		}
	}
	for i := 1; i < len(h.commits); i++ {
		r, err := h.step(ctx, p, i, again, once)
		if err != nil {
			return out, err
		}
		out.releases = append(out.releases, r)
	}
	return out, h.relooked(ctx, p, again, &out)
}

// show checks a release out and syncs it.
func (h *history) show(ctx context.Context, p place, i int) error {
	if _, err := h.git(ctx, nil, "checkout", "-q", "-f", "-B", "main", h.commits[i]); err != nil {
		return err
	}
	return p.sync(ctx, h.dir)
}

func (h *history) step(ctx context.Context, p place, i int, again, once []topic) (r release, err error) {
	r = release{version: h.releases[i], days: h.at[i].Sub(h.at[0]).Hours() / 24}
	if err := h.show(ctx, p, i); err != nil {
		return r, err
	}
	states, err := p.states(ctx)
	if err != nil {
		return r, err
	}
	for _, set := range []struct {
		topics []topic
		from   int
		into   *[kinds]pair
	}{{again, i - 1, &r.step}, {once, 0, &r.sum}} {
		changed, err := h.changed(ctx, h.commits[set.from], h.commits[i])
		if err != nil {
			return r, err
		}
		for _, t := range set.topics {
			state := states[t.slug]
			set.into[t.kind].drift.add(state == "review" || state == "broken")
			set.into[t.kind].touch.add(t.touched(changed))
		}
	}
	return r, h.vouch(ctx, p, again, states)
}

// vouch verifies the topics that are not fresh.
func (h *history) vouch(ctx context.Context, p place, topics []topic, states map[string]string) error {
	for _, t := range topics {
		if states[t.slug] == "fresh" {
			continue
		}
		if err := p.verify(ctx, t.slug); err != nil {
			return err
		}
	}
	return nil
}

// relooked changes comments and layout alone, and counts the topics on which that raises anything.
func (h *history) relooked(ctx context.Context, p place, topics []topic, out *outcome) (err error) {
	if out.changed, err = relook(h.dir); err != nil {
		return err
	}
	last := len(h.at) - 1
	if err := h.commit(ctx, "other looks", h.at[last].Add(time.Hour)); err != nil {
		return err
	}
	if err := p.sync(ctx, h.dir); err != nil {
		return err
	}
	states, err := p.states(ctx)
	if err != nil {
		return err
	}
	for _, t := range topics {
		out.looks.add(states[t.slug] != "fresh")
		if states[t.slug] != "fresh" {
			fmt.Printf("  other looks raise %s on %s of %s\n", states[t.slug], t.title, h.path)
		}
	}
	return nil
}
