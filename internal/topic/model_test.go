package topic

import (
	"maps"
	"slices"

	"driftless/internal/fault"
	"driftless/internal/tenant"
)

// model is what the specification says of one workspace: who may do what, and where it leads. It shares no rule of governance
// with the code under test. Only how texts are merged it takes from there (rebase, revert, carry), which has tests of its own.
type model struct {
	words    int
	approval string
	fourEyes bool
	roles    map[string]tenant.Role
	topics   map[string]*modelTopic
	edits    []*modelEdit
	asks     []*modelAsk
	undos    []*modelUndo
}

type modelTopic struct {
	slug           string
	status, back   Status
	private        bool
	author, editor string
	content        Content
	revisions      []modelRevision
	review         string
	by, via        string
	approved       int // revision
	mergedInto     string
}

type modelRevision struct {
	content Content
	private bool
	author  string
}

type modelEdit struct {
	id, topic, author, status string
	base                      int
	content                   Content
}

// modelAsk is a confirmation that waits for a person.
type modelAsk struct {
	id, topic, person, status string
	edit                      int // index, or -1 for an approval
	hash                      string
	resolution                map[string]any
}

type modelUndo struct {
	revisionID, token, topic, holder string
	revision                         int
	used                             bool
}

// outcome is what the model predicts: the code of the refusal, or nothing, and what was made whose id the server chooses.
type outcome struct {
	code fault.Code
	edit *modelEdit
	ask  *modelAsk
	undo *modelUndo
}

func refused(code fault.Code) outcome { return outcome{code: code} }

func (m *model) clone() *model {
	c := *m
	c.roles, c.topics = maps.Clone(m.roles), map[string]*modelTopic{}
	for slug, t := range m.topics {
		topic := *t
		topic.revisions = slices.Clone(t.revisions)
		c.topics[slug] = &topic
	}
	c.edits, c.asks, c.undos = copies(m.edits), copies(m.asks), copies(m.undos)
	return &c
}

func copies[T any](list []*T) []*T {
	out := make([]*T, len(list))
	for i, v := range list {
		c := *v
		out[i] = &c
	}
	return out
}

// after is the workspace after a call; a refused call leaves it as it was.
func (m *model) after(s deed) (*model, outcome) {
	if code := m.admits(s); code != "" {
		return m, refused(code)
	}
	next := m.clone()
	out := next.take(s)
	if out.code != "" {
		return m, refused(out.code)
	}
	return next, out
}

// gate is what an operation asks of a credential before it looks at anything.
type gate struct {
	scope tenant.Scope
	role  tenant.Role
	human bool
}

// gates is the table "who, scope" of the specification.
func gates() map[string]gate {
	return map[string]gate{
		"topics.create": {tenant.TopicsCreate, tenant.Member, false}, "notes.add": {tenant.TopicsCreate, tenant.Member, false},
		"tests.import":  {tenant.TopicsCreate, tenant.Member, false},
		"topics.update": {tenant.TopicsWrite, tenant.Member, false}, "topics.patch": {tenant.TopicsWrite, tenant.Member, false},
		"topics.undo": {tenant.TopicsWrite, tenant.Member, false}, "topics.restore_revision": {tenant.TopicsWrite, tenant.Member, false},
		"topics.delete": {tenant.TopicsWrite, tenant.Member, false}, "topics.recover": {tenant.TopicsWrite, tenant.Member, false},
		"topics.propose": {tenant.WorkWrite, tenant.Member, false}, "topics.withdraw": {tenant.WorkWrite, tenant.Member, false},
		"topics.archive": {tenant.WorkWrite, tenant.Member, false}, "topics.verify": {tenant.WorkWrite, tenant.Member, false},
		"topics.merge": {tenant.WorkWrite, tenant.Member, false}, "edits.create": {tenant.WorkWrite, tenant.Member, false},
		"edits.withdraw": {tenant.WorkWrite, tenant.Member, false},
		"topics.reject":  {tenant.WorkWrite, tenant.Admin, false}, "edits.reject": {tenant.WorkWrite, tenant.Admin, false},
		"topics.approve": {tenant.WorkWrite, tenant.Admin, true}, "edits.merge": {tenant.WorkWrite, tenant.Admin, true},
		"settings.change": {tenant.WorkWrite, tenant.Admin, true}, "members.change": {tenant.WorkWrite, tenant.Admin, true},
		"members.remove": {tenant.WorkWrite, tenant.Viewer, true},
	}
}

// admits checks what was true when the credential was read; take checks the role again, as it is then.
func (m *model) admits(s deed) fault.Code {
	g, ok := gates()[s.op]
	switch {
	case !ok: // the pages of a confirmation are no operation
		return ""
	case !slices.Contains(s.with.scopes, g.scope):
		return fault.CodeInsufficientScope
	case s.had == "":
		return fault.CodeNotFound
	case g.human && s.service():
		return fault.CodeMissingHumanIdentity
	case !s.had.AtLeast(g.role):
		return fault.CodeInsufficientRole
	case s.op == "topics.create" && s.status == "reviewed":
		return fault.CodeValidation
	}
	return ""
}

// visible finds a topic as this person sees it: in the trash or out of it.
func (m *model) visible(s deed, slug string, trashed bool) *modelTopic {
	t := m.topics[slug]
	if t == nil || t.private && t.author != s.who || (t.status == Trash) != trashed {
		return nil
	}
	return t
}

func (t *modelTopic) revision() int { return len(t.revisions) }

// record makes what the topic says now its next revision.
func (t *modelTopic) record(s deed, content Content) {
	_ = content.normalise()
	slices.Sort(content.Tags)
	if content.Hash() != t.content.Hash() {
		t.editor = s.who
	}
	t.content = content
	t.revisions = append(t.revisions, modelRevision{content, t.private, s.who})
}

// isOwnDraft: the author of a draft, also of one that will come back as one.
func (t *modelTopic) isOwnDraft(who string) bool {
	return t.author == who && (t.status == Draft || t.back == Draft)
}

// isOwnNote: the author of a draft or proposal; what was Knowledge and is put away is not theirs alone.
func (t *modelTopic) isOwnNote(who string) bool {
	away := t.status == Archived || t.status == Trash
	return t.author == who && t.status != Reviewed && !(away && t.approved > 0)
}

func (m *model) decides(who string) bool { return m.roles[who].AtLeast(tenant.Admin) }

func (m *model) owners() (n int) {
	for _, r := range m.roles {
		if r == tenant.Owner {
			n++
		}
	}
	return n
}

// humanAct says how a decision may happen: at once in the console, at once by an agent, or by asking a person.
func (m *model) humanAct(s deed, involved bool) (way, fault.Code) {
	switch {
	case m.fourEyes && involved:
		return "", fault.CodePolicyForbids
	case s.with.via == tenant.ViaConsole && s.with.stale:
		return "", fault.CodeSessionTooOld
	case s.with.via == tenant.ViaConsole:
		return byPerson, ""
	case m.approval == "off":
		return "", fault.CodePolicyForbids
	case m.approval == "direct" && s.with.oauth:
		return byAgent, ""
	}
	return askPerson, ""
}
