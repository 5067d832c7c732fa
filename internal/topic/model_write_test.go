package topic

import (
	"slices"

	"driftless/internal/fault"
	"driftless/internal/tenant"
)

// write is every call that changes what a topic says.
func (m *model) write(s deed, t *modelTopic) outcome {
	if s.op == "tests.import" {
		return m.importFile(s, t)
	}
	if s.op == "edits.create" && t.status != Reviewed {
		return refused(fault.CodeStateConflict)
	}
	replaces := (s.op == "topics.update" || s.op == "edits.create") && s.field == "what"
	if s.base == 0 && replaces {
		return refused(fault.CodeValidation)
	}
	if s.base > 0 || s.op == "topics.patch" {
		if code := t.stale(s); code != "" {
			return refused(code)
		}
	}
	change := s.change
	if s.op == "topics.restore_revision" {
		if s.revision < 1 || s.revision > t.revision() || !t.revisions[s.revision-1].seenBy(s.who) {
			return refused(fault.CodeNotFound)
		}
		said := t.revisions[s.revision-1].content
		change = func(Content) (Content, fault.Code) { return said, "" }
	}
	return m.rewrite(s, t, change, false)
}

func (r modelRevision) seenBy(who string) bool { return !r.private || r.author == who }

// stale refuses a base that says something else than the topic does now.
func (t *modelTopic) stale(s deed) fault.Code {
	switch {
	case s.base == t.revision():
		return ""
	case s.base > t.revision():
		return fault.CodeValidation
	case s.base > 0 && t.revisions[s.base-1].seenBy(s.who) && t.revisions[s.base-1].content.Hash() == t.content.Hash():
		return ""
	}
	return fault.CodeStaleBase
}

// change is what a content says with the words of the call in place.
func (s deed) change(c Content) (Content, fault.Code) {
	switch s.field {
	case "what":
		c.What = s.words
	case "gotchas":
		c.Gotchas = append(slices.Clone(c.Gotchas), s.words)
	case "tags":
		c.Tags = []string{s.words}
	case "drop":
		if len(c.Gotchas) == 0 {
			return c, fault.CodeInvalidPointer
		}
		c.Gotchas = slices.Clone(c.Gotchas[1:])
	default: // a place that no patch may name
		return c, fault.CodeInvalidPointer
	}
	_ = c.normalise()
	return c, ""
}

// rewrite writes at once where nobody has vouched for the words, and suggests an edit where somebody has.
func (m *model) rewrite(s deed, t *modelTopic, change func(Content) (Content, fault.Code), lasting bool) outcome {
	start := t.content
	target, code := change(start)
	if code != "" {
		return refused(code)
	}
	changes := Diff(start, target)
	files := len(changes) > 0 && start.Hash() == target.Hash() || s.op == "topics.update" && s.field == "tags"
	suggests := t.status == Reviewed && !files
	var open *modelEdit
	if suggests {
		if open = m.carried(s.who, t); open != nil {
			if target, code = change(open.content); code != "" {
				return refused(code)
			}
		}
	}
	switch {
	case t.status == Archived || t.status == Trash:
		return refused(fault.CodeStateConflict)
	case suggests && s.merge:
		return m.suggestAndMerge(s, t, target, open)
	case suggests:
		return m.suggest(s, t, target, open)
	case len(changes) == 0:
		return outcome{}
	}
	t.voidVerdict()
	t.record(s, target)
	if lasting {
		return outcome{}
	}
	u := &modelUndo{topic: t.slug, holder: s.who, revision: t.revision()}
	m.undos = append(m.undos, u)
	return outcome{undo: u}
}

func (t *modelTopic) voidVerdict() {
	if t.review != "changes_requested" && t.review != "rejected" {
		return
	}
	if t.review = "none"; t.status == Proposed {
		t.review = "waiting"
	}
}

// carried is a person's open edit, carried over to what the topic says now where that can be done.
func (m *model) carried(who string, t *modelTopic) *modelEdit {
	for _, e := range m.edits {
		if e.topic != t.slug || e.author != who || e.status != "open" {
			continue
		}
		out := *e
		if e.base != t.revision() {
			if now, conflicts, err := rebase(t.revisions[e.base-1].content, e.content, t.content, nil); err == nil && len(conflicts) == 0 {
				out.content, out.base = now, t.revision()
			}
		}
		return &out
	}
	return nil
}

func (m *model) suggest(s deed, t *modelTopic, target Content, open *modelEdit) outcome {
	_ = target.normalise()
	if open == nil {
		if len(Diff(t.content, target)) == 0 {
			return refused(fault.CodeValidation)
		}
		e := &modelEdit{topic: t.slug, author: s.who, status: "open", base: t.revision(), content: target}
		m.edits = append(m.edits, e)
		return outcome{edit: e}
	}
	base := t.revisions[open.base-1].content
	if open.base != t.revision() {
		settled, ok, err := overrule(base, open.content, target, t.content)
		if err != nil {
			return refused(fault.CodeVersionConflict)
		}
		if ok {
			target, base, open.base = settled, t.content, t.revision()
		}
	}
	if len(Diff(base, target)) == 0 {
		return refused(fault.CodeValidation)
	}
	i := m.editOf(s.who, t)
	e := m.edits[i]
	if e.content.Hash() == target.Hash() && len(Diff(open.content, target)) == 0 {
		return outcome{edit: e}
	}
	e.content, e.base = target, open.base
	return outcome{edit: e}
}

func (m *model) editOf(who string, t *modelTopic) int {
	return slices.IndexFunc(m.edits, func(e *modelEdit) bool { return e.topic == t.slug && e.author == who && e.status == "open" })
}

func (m *model) suggestAndMerge(s deed, t *modelTopic, target Content, open *modelEdit) outcome {
	switch {
	case !slices.Contains(s.with.scopes, tenant.WorkWrite):
		return refused(fault.CodeInsufficientScope)
	case s.service():
		return refused(fault.CodeMissingHumanIdentity)
	case !m.decides(s.who):
		return refused(fault.CodeInsufficientRole)
	}
	suggested := m.suggest(s, t, target, open)
	if suggested.code != "" {
		return suggested
	}
	s.resolution, s.hash = nil, ""
	merged := m.mergeEdit(s, m.editOf(s.who, t), t)
	merged.edit = suggested.edit
	return merged
}

func (m *model) undo(s deed) outcome {
	u := m.undos[s.undo]
	switch {
	case u.holder != s.who:
		return refused(fault.CodeUndoTokenInvalid)
	case u.used:
		return refused(fault.CodeUndoTokenUsed)
	}
	t := m.visible(s, u.topic, false)
	if t == nil {
		return refused(fault.CodeNotFound)
	}
	u.used = true
	after, before := t.revisions[u.revision-1].content, t.revisions[u.revision-2].content
	return m.rewrite(s, t, func(now Content) (Content, fault.Code) {
		out, conflicts, err := revert(after, before, now)
		if err != nil || len(conflicts) > 0 {
			return out, fault.CodeUndoConflict
		}
		_ = out.normalise()
		return out, ""
	}, false)
}

// importFile is a file that says something about a topic, for the first time.
func (m *model) importFile(s deed, t *modelTopic) outcome {
	current, open := t.content, (*modelEdit)(nil)
	if t.status == Reviewed {
		if open = m.carried(s.who, t); open != nil {
			current = open.content
		}
	}
	target, err := carry(nil, Content{Title: t.slug, What: s.words}, current)
	switch {
	case err != nil:
		return refused(fault.CodeInternal)
	case len(Diff(current, target)) == 0 || len(Diff(t.content, target)) == 0 || t.status == Archived:
		return outcome{}
	case !slices.Contains(s.with.scopes, tenant.TopicsWrite) && (t.author != s.who || t.revision() > 1):
		return refused(fault.CodeInsufficientScope)
	case t.status == Reviewed:
		return m.suggest(s, t, target, open)
	}
	t.voidVerdict()
	t.record(s, target)
	return outcome{}
}

// mergeDuplicate archives a duplicate and gives its tags to the survivor.
func (m *model) mergeDuplicate(s deed) outcome {
	if s.topic == s.into {
		return refused(fault.CodeValidation)
	}
	source, into := m.visible(s, s.topic, false), m.visible(s, s.into, false)
	switch {
	case source == nil || into == nil:
		return refused(fault.CodeNotFound)
	case source.status == Archived:
		return refused(fault.CodeStateConflict)
	case !m.decides(s.who) && !source.isOwnDraft(s.who):
		return refused(fault.CodeInsufficientRole)
	case into.private && !source.private:
		return refused(fault.CodeStateConflict)
	case into.status == Archived:
		return refused(fault.CodeStateConflict)
	}
	if moved := missing(source.content.Tags, into.content.Tags); len(moved) > 0 {
		into.voidVerdict()
		content := into.content
		content.Tags = slices.Concat(content.Tags, moved)
		into.record(s, content)
	}
	m.putAway(source, Archived)
	source.mergedInto = into.slug
	source.record(s, source.content)
	for _, t := range m.topics {
		if t.mergedInto == source.slug && (!t.private || t.author == s.who) {
			t.mergedInto = into.slug
		}
	}
	return outcome{}
}
