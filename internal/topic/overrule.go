package topic

import (
	"reflect"

	"driftless/internal/fault"
)

// overrule lets the author of a suggested edit in conflict with Knowledge write anew what is contested: they have read what Knowledge
// says now, so their word stands against that, and not against the text that the edit began from. Before and after are the edit
// without and with the change. It answers the edit as one of the current text once nothing is contested any more; settled is false
// where the change is about something else, or other places still are.
func overrule(base, before, after, current Content) (edit Content, settled bool, err error) {
	_, contested, err := rebase(base, before, current, nil)
	if err != nil {
		return after, false, err
	}
	form := writable()
	var from, to, now, start any = tree(before), tree(after), tree(current), tree(base)
	lost := false
	for _, c := range contested {
		at, err := pointer(c.Path)
		if err != nil {
			return after, false, err
		}
		was, _ := form.read(from, at)
		is, _ := form.read(to, at)
		if reflect.DeepEqual(was, is) {
			continue
		}
		began, _ := form.read(start, at)
		lost = lost || reflect.DeepEqual(began, is)
		step := PatchOp{Op: opRemove}
		if value, err := form.read(now, at); err == nil {
			step = PatchOp{Op: opSet, Value: value}
		}
		if start, err = form.edit(start, at, step); err != nil {
			return after, false, err
		}
		settled = true
	}
	if !settled {
		return after, false, nil
	}
	if base, err = plant(start.(map[string]any)); err != nil {
		return after, false, err
	}
	edit, contested, err = rebase(base, after, current, nil)
	switch {
	case err != nil:
		return after, false, err
	case len(contested) == 0:
		return edit, true, nil
	case lost:
		// Against the text that the edit began from, this would be no change.
		e := fault.New(fault.Conflict, fault.CodeVersionConflict, "your open suggested edit is in conflict with Knowledge elsewhere too",
			"write all that current.conflicts names in one call, or withdraw the edit and begin anew")
		e.Current = map[string]any{"conflicts": contested}
		return after, false, e
	}
	return after, false, nil
}
