package topic

import (
	"slices"

	"driftless/internal/fault"
	"driftless/internal/tenant"
)

// take does one call to the model, or says why it is refused.
func (m *model) take(s deed) outcome {
	if s.op == "confirmations.decide" {
		return m.confirm(s)
	}
	role, g := m.roles[s.who], gates()[s.op]
	switch {
	case role == "":
		return refused(fault.CodeNotFound)
	case !role.AtLeast(g.role):
		return refused(fault.CodeInsufficientRole)
	}
	switch s.op {
	case "topics.create", "notes.add":
		return m.create(s)
	case "settings.change":
		return m.settings(s)
	case "members.change", "members.remove":
		return m.members(s)
	case "topics.undo":
		return m.undo(s)
	case "edits.merge", "edits.reject", "edits.withdraw":
		return m.decideEdit(s)
	case "topics.recover":
		return m.putBack(s)
	case "topics.merge":
		return m.mergeDuplicate(s)
	}
	t := m.visible(s, s.topic, false)
	if t == nil && s.op == "topics.delete" {
		if gone := m.visible(s, s.topic, true); gone != nil && (m.decides(s.who) || gone.isOwnNote(s.who)) {
			return outcome{}
		}
	}
	if t == nil {
		return refused(fault.CodeNotFound)
	}
	switch s.op {
	case "topics.update", "topics.patch", "topics.restore_revision", "edits.create", "tests.import":
		return m.write(s, t)
	case "topics.approve":
		return m.approve(s, t)
	}
	return m.move(s, t)
}

func (m *model) create(s deed) outcome {
	slug, status, private := s.topic, Status(s.status), false
	content := Content{Title: slug, What: s.words}
	if s.op == "notes.add" {
		status, private, content.Text = Draft, true, s.words
	}
	if m.topics[slug] != nil {
		return refused(fault.CodeDuplicateTopic)
	}
	t := &modelTopic{slug: slug, status: status, private: private, author: s.who, review: "none"}
	if status == Proposed {
		t.review = "waiting"
	}
	t.record(s, content)
	m.topics[slug] = t
	return outcome{}
}

func (m *model) settings(s deed) outcome {
	approval, eyes := m.approval, m.fourEyes
	if s.policy != "" {
		approval = s.policy
	} else {
		eyes = s.yes
	}
	if approval == m.approval && eyes == m.fourEyes {
		return outcome{}
	}
	switch {
	case s.with.via != tenant.ViaConsole:
		return refused(fault.CodePolicyForbids)
	case s.with.stale:
		return refused(fault.CodeSessionTooOld)
	}
	m.approval, m.fourEyes = approval, eyes
	return outcome{}
}

func (m *model) members(s deed) outcome {
	mine, theirs, want := m.roles[s.who], m.roles[s.person], s.role
	if theirs == "" {
		return refused(fault.CodeNotFound)
	}
	if s.with.oauth {
		return refused(fault.CodePolicyForbids)
	}
	if s.op == "members.remove" {
		want = ""
	}
	self := s.op == "members.remove" && s.person == s.who
	switch {
	case want.AtLeast(tenant.Admin) && s.with.via != tenant.ViaConsole:
		return refused(fault.CodePolicyForbids)
	case want.AtLeast(tenant.Admin) && s.with.stale:
		return refused(fault.CodeSessionTooOld)
	case !self && !mine.AtLeast(tenant.Admin):
		return refused(fault.CodeInsufficientRole)
	case !self && (theirs == tenant.Owner || want == tenant.Owner) && mine != tenant.Owner:
		return refused(fault.CodeInsufficientRole)
	case s.person == "service" && want.AtLeast(tenant.Admin):
		return refused(fault.CodeMissingHumanIdentity)
	case theirs == tenant.Owner && want != tenant.Owner && m.owners() == 1:
		return refused(fault.CodeStateConflict)
	}
	m.roles[s.person] = want
	if want == "" {
		delete(m.roles, s.person)
	}
	return outcome{}
}

// move is every call that changes where a topic stands and not what it says.
func (m *model) move(s deed, t *modelTopic) outcome {
	author, decides := t.author == s.who, m.decides(s.who)
	is := func(states ...Status) bool { return slices.Contains(states, t.status) }
	var from, may, same bool
	switch s.op {
	case "topics.propose":
		from, may, same = is(Draft), author || !t.private, is(Proposed)
	case "topics.withdraw":
		from, may = is(Proposed), author
	case "topics.reject":
		from, may = is(Proposed), decides
	case "topics.verify":
		from, may = is(Draft, Proposed, Reviewed), decides || t.isOwnDraft(s.who)
	case "topics.archive":
		from, may = is(Draft, Proposed, Reviewed), decides || t.isOwnDraft(s.who)
		if same = is(Archived); s.yes {
			from, same = is(Archived), !same
		}
	case "topics.delete":
		from, may = true, decides || t.isOwnNote(s.who)
	}
	switch {
	case same:
		return outcome{}
	case !from:
		return refused(fault.CodeStateConflict)
	case !may:
		return refused(fault.CodeInsufficientRole)
	}
	switch s.op {
	case "topics.verify":
		return outcome{}
	case "topics.propose":
		t.status, t.private, t.review = Proposed, false, "waiting"
	case "topics.withdraw":
		t.status, t.review = Draft, "none"
	case "topics.reject":
		if t.status, t.review = Draft, "rejected"; s.yes {
			t.status, t.review = Proposed, "changes_requested"
		}
	case "topics.archive":
		if s.yes {
			t.comeBack()
		} else {
			m.putAway(t, Archived)
		}
	case "topics.delete":
		m.putAway(t, Trash)
	}
	t.record(s, t.content)
	return outcome{}
}

// putAway: Knowledge comes back as a proposal, everything else as what it was. What was suggested is outdated for good.
func (m *model) putAway(t *modelTopic, to Status) {
	for _, e := range m.edits {
		if e.topic == t.slug && e.status == "open" {
			e.status = "outdated"
		}
	}
	t.back = t.status
	if t.status == Reviewed {
		t.back = Proposed
	}
	t.status = to
}

func (t *modelTopic) comeBack() {
	t.status, t.back, t.mergedInto = t.back, "", ""
	if t.status == Archived {
		t.back = Draft
	}
	if t.status == Proposed {
		t.review, t.private = "waiting", false
	}
}

func (m *model) putBack(s deed) outcome {
	t := m.visible(s, s.topic, true)
	switch {
	case t == nil && m.visible(s, s.topic, false) != nil:
		return outcome{}
	case t == nil:
		return refused(fault.CodeNotFound)
	case !m.decides(s.who) && !t.isOwnNote(s.who):
		return refused(fault.CodeInsufficientRole)
	}
	t.comeBack()
	t.record(s, t.content)
	return outcome{}
}

func (m *model) approve(s deed, t *modelTopic) outcome {
	switch {
	case t.status != Proposed:
		return refused(fault.CodeStateConflict)
	case s.base > t.revision() || s.base > 0 && t.revisions[s.base-1].content.Hash() != t.content.Hash():
		return refused(fault.CodeVersionConflict)
	case s.base > 0 && t.revisions[s.base-1].private && t.revisions[s.base-1].author != s.who:
		return refused(fault.CodeVersionConflict)
	case s.hash != "" && s.hash != t.content.Hash():
		return refused(fault.CodeVersionConflict)
	}
	how, code := m.humanAct(s, t.author == s.who || t.editor == s.who)
	switch {
	case code != "":
		return refused(code)
	case how == askPerson:
		return m.ask(&modelAsk{topic: t.slug, person: s.who, edit: -1, hash: t.content.Hash()})
	}
	t.know(s, t.content, how)
	return outcome{}
}

// know is the one place in which something becomes Knowledge.
func (t *modelTopic) know(s deed, content Content, how way) {
	t.status, t.by, t.via = Reviewed, s.who, string(how)
	if s.edit < 0 {
		t.review = "none"
	}
	t.record(s, content)
	t.approved = t.revision()
}

func (m *model) ask(a *modelAsk) outcome {
	a.status = "pending"
	m.asks = append(m.asks, a)
	return outcome{ask: a}
}

// confirm is a person on the page of a confirmation.
func (m *model) confirm(s deed) outcome {
	a := m.asks[s.ask]
	switch {
	case s.with.via != tenant.ViaConsole:
		return refused(fault.CodePolicyForbids)
	case s.had == "" || a.person != s.who || m.roles[s.who] == "":
		return refused(fault.CodeNotFound)
	case a.status != "pending":
		return refused(fault.CodeStateConflict)
	case !s.yes:
		a.status = "declined"
		return outcome{}
	case !m.decides(s.who):
		return refused(fault.CodeInsufficientRole)
	}
	t := m.visible(s, a.topic, false)
	if t == nil {
		return refused(fault.CodeNotFound)
	}
	content, involved := t.content, t.author == s.who || t.editor == s.who
	var e *modelEdit
	if a.edit >= 0 {
		e = m.edits[a.edit]
		if e.status != "open" {
			return refused(fault.CodeStateConflict)
		}
		merged, code := m.rebased(e, t, a.resolution)
		if code != "" {
			return refused(code)
		}
		content, involved = merged, e.author == s.who || len(a.resolution) > 0
	}
	if hash := content.Hash(); hash != a.hash || s.hash != "" && s.hash != hash {
		return refused(fault.CodeVersionConflict)
	}
	if _, code := m.humanAct(s, involved); code != "" {
		return refused(code)
	}
	if e == nil && t.status != Proposed {
		return refused(fault.CodeStateConflict)
	}
	a.status = "approved"
	if s.edit = a.edit; e != nil {
		e.status = "merged"
	}
	t.know(s, content, byPerson)
	return outcome{}
}

func (m *model) decideEdit(s deed) outcome {
	e := m.edits[s.edit]
	t := m.visible(s, e.topic, false)
	switch {
	case t == nil:
		return refused(fault.CodeNotFound)
	case e.status != "open":
		return refused(fault.CodeStateConflict)
	case s.op == "edits.withdraw" && e.author != s.who:
		return refused(fault.CodeInsufficientRole)
	case s.op == "edits.merge":
		return m.mergeEdit(s, s.edit, t)
	case s.op == "edits.withdraw":
		e.status = "withdrawn"
	default:
		e.status = "rejected"
	}
	return outcome{}
}

func (m *model) mergeEdit(s deed, edit int, t *modelTopic) outcome {
	e := m.edits[edit]
	how, code := m.humanAct(s, e.author == s.who || len(s.resolution) > 0)
	if code != "" {
		return refused(code)
	}
	merged, code := m.rebased(e, t, s.resolution)
	switch {
	case code != "":
		return refused(code)
	case s.hash != "" && s.hash != merged.Hash():
		return refused(fault.CodeVersionConflict)
	case how == askPerson:
		return m.ask(&modelAsk{topic: t.slug, person: s.who, edit: edit, hash: merged.Hash(), resolution: s.resolution})
	}
	e.status, s.edit = "merged", edit
	t.know(s, merged, how)
	return outcome{}
}

func (m *model) rebased(e *modelEdit, t *modelTopic, resolution map[string]any) (Content, fault.Code) {
	if t.status != Reviewed {
		return Content{}, fault.CodeStateConflict
	}
	base := t.revisions[e.base-1].content
	_, open, _ := rebase(base, e.content, t.content, nil)
	for path := range resolution {
		if !slices.ContainsFunc(open, func(c Conflict) bool { return c.Path == path }) {
			return Content{}, fault.CodeValidation
		}
	}
	merged, conflicts, err := rebase(base, e.content, t.content, resolution)
	switch {
	case err != nil:
		return merged, fault.CodeValidation
	case len(conflicts) > 0:
		return merged, fault.CodeVersionConflict
	}
	_ = merged.normalise()
	return merged, ""
}
