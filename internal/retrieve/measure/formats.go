package measure

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"driftless/internal/relation"
)

// Document is a line of the corpus. ID and Title are needed.
type Document struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Text is the content; What the sentence that sums it up, by default its first line, as in a note.
	Text           string   `json:"text"`
	What           string   `json:"what"`
	How            string   `json:"how"`
	Decisions      []string `json:"decisions"`
	Gotchas        []string `json:"gotchas"`
	Invariants     []string `json:"invariants"`
	RequiredChecks []string `json:"required_checks"`
	Tags           []string `json:"tags"`
	Kind           string   `json:"kind"` // becomes a tag
	Anchors        []string `json:"anchors"`
	Locators       Locators `json:"locators"`
	// Project is the workspace, and History a thread inside of it, to which a question may be narrowed.
	Project string `json:"project"`
	History string `json:"history"`
	// AvailableAt is since when it is there; without it, always.
	AvailableAt time.Time `json:"available_at"`
	// Relations lead to other documents, whose types are those of [relation.Edge]. Supersedes are those of the type supersedes.
	Relations  []relation.Edge `json:"relations"`
	Supersedes []string        `json:"supersedes"`
}

// Locators say where in the code a document is about. They become anchors.
type Locators struct {
	Path   string `json:"path"`
	Symbol string `json:"symbol"`
}

// Question is a line of the questions. ID is needed, and a query or files.
type Question struct {
	ID      string   `json:"id"`
	Query   string   `json:"query"`
	Files   []string `json:"files"`
	Project string   `json:"project"` // documents of other projects are not there
	History string   `json:"history"`
	// IssuedAt is when it is asked and AsOf the time that it asks about: what came later is not there.
	IssuedAt time.Time `json:"issued_at"`
	AsOf     time.Time `json:"as_of"`
	// Groups are names under which its figures are summed up besides.
	Groups []string `json:"groups"`
}

// at is the time whose documents may answer; zero means all of them.
func (q Question) at() time.Time {
	if !q.AsOf.IsZero() {
		return q.AsOf
	}
	return q.IssuedAt
}

// Judgement says how well a document answers a question: 3 exactly, 2 strongly, 1 weakly, 0 not. What is not judged is 0. In
// the file it is a line of three cells: question, document, grade. The first line may name the columns.
type Judgement struct {
	Question, Document string
	Grade              int
}

// Label is what else is known of a question.
type Label struct {
	ID string `json:"id"`
	// Abstain is set where no document answers. Without labels, nothing answers what no document is judged to answer.
	Abstain bool `json:"abstain"`
	// Superseded are the documents that answer no longer, because another took their place.
	Superseded []string `json:"superseded"`
}

// maxLine bounds a line of a file in bytes.
const maxLine = 4 << 20

// ReadDocuments reads a corpus.
func ReadDocuments(r io.Reader) ([]Document, error) {
	return readObjects(r, func(d Document) (string, error) {
		if d.Title == "" {
			return d.ID, errors.New("it has no title")
		}
		return d.ID, nil
	})
}

// ReadQuestions reads questions.
func ReadQuestions(r io.Reader) ([]Question, error) {
	return readObjects(r, func(q Question) (string, error) {
		if strings.TrimSpace(q.Query) == "" && len(q.Files) == 0 {
			return q.ID, errors.New("it has neither query nor files")
		}
		return q.ID, nil
	})
}

// ReadLabels reads labels.
func ReadLabels(r io.Reader) ([]Label, error) {
	return readObjects(r, func(l Label) (string, error) { return l.ID, nil })
}

// readObjects reads JSON Lines whose objects have an id of their own.
func readObjects[T any](r io.Reader, check func(T) (id string, err error)) ([]T, error) {
	var all []T
	seen := map[string]bool{}
	err := readLines(r, func(line []byte) error {
		var one T
		if err := json.Unmarshal(line, &one); err != nil {
			return fmt.Errorf("it is not an object of this kind: %w", err)
		}
		id, err := check(one)
		switch {
		case id == "":
			return errors.New("it has no id")
		case seen[id]:
			return fmt.Errorf("the id %q is taken", id)
		case err != nil:
			return err
		}
		seen[id] = true
		all = append(all, one)
		return nil
	})
	return all, err
}

// ReadJudgements reads judgements.
func ReadJudgements(r io.Reader) ([]Judgement, error) {
	var all []Judgement
	type pair struct{ question, document string }
	seen := map[pair]bool{}
	first := true
	err := readLines(r, func(line []byte) error {
		cells := strings.Split(string(line), "\t")
		if len(cells) != 3 || cells[0] == "" || cells[1] == "" {
			return errors.New("it has to be question, document and grade with tabs between them")
		}
		heading := first && cells[2] == "grade"
		if first = false; heading {
			return nil
		}
		grade, err := strconv.Atoi(cells[2])
		if err != nil || grade < 0 || grade > 3 {
			return fmt.Errorf("the grade %q is none of 0, 1, 2 and 3", cells[2])
		}
		if p := (pair{cells[0], cells[1]}); seen[p] {
			return errors.New("the pair was judged before")
		} else {
			seen[p] = true
		}
		all = append(all, Judgement{cells[0], cells[1], grade})
		return nil
	})
	return all, err
}

// readLines hands over the lines that are not blank, and names the one that is refused.
func readLines(r io.Reader, take func(line []byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 1
	for ; lines.Scan(); n++ {
		line := bytes.TrimSuffix(lines.Bytes(), []byte("\r"))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := take(line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", n, err)
	}
	return nil
}

// round keeps four digits, so that equal runs print equal reports.
func round(v float64) float64 { return math.Round(v*1e4) / 1e4 }
