package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// resultsMax is how many results a report has; forges refuse more than some thousands.
const resultsMax = 1000

// The shapes of SARIF 2.1.0 (OASIS, errata 01), as far as it is used.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		AutomationDetails struct {
			ID string `json:"id"`
		} `json:"automationDetails"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri,omitempty"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		Name             string    `json:"name"`
		ShortDescription sarifText `json:"shortDescription"`
		Default          struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifText   struct{ Text string } //nolint:musttag // encoded by its own method
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		HostedURI    string            `json:"hostedViewerUri,omitempty"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI  string `json:"uri"`
				Base string `json:"uriBaseId"`
			} `json:"artifactLocation"`
			Region struct {
				StartLine int `json:"startLine"`
			} `json:"region"`
		} `json:"physicalLocation"`
	}
)

// MarshalJSON writes the message object.
func (t sarifText) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"text": t.Text})
}

var rules = []struct {
	level             Level
	name, words, told string
}{
	{Broken, "AnchorGone", "Knowledge relies on a file that the change deletes or moves", "error"},
	{Review, "MayBeWrong", "Knowledge speaks of what the change touches", "warning"},
	{Touched, "Touched", "Something under an anchor of a topic changed", "note"},
}

// SARIF is the report in the form of SARIF 2.1.0: one result for each topic and changed file. What no person has reviewed is a note, whatever
// happens to it.
func (d Diff) SARIF() ([]byte, error) {
	var run sarifRun
	run.Tool.Driver = sarifDriver{Name: "Driftless", Version: d.Version}
	for _, r := range rules {
		rule := sarifRule{ID: "driftless/" + string(r.level), Name: r.name, ShortDescription: sarifText{r.words}}
		rule.Default.Level = r.told
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule)
	}
	run.AutomationDetails.ID = "driftless/context-diff/"
	run.ColumnKind = "unicodeCodePoints"
	run.Results = []sarifResult{}
	for _, t := range d.Sorted() {
		for _, b := range t.Because {
			for _, c := range b.Changes {
				if len(run.Results) < resultsMax {
					run.Results = append(run.Results, d.result(t, b.Anchor, c))
				}
			}
		}
	}
	raw, err := json.MarshalIndent(sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode SARIF: %w", err)
	}
	return append(raw, '\n'), nil
}

func (d Diff) result(t Topic, anchor string, c Change) sarifResult {
	level := t.LevelOf()
	index := 0
	for i, r := range rules {
		if r.level == level {
			index = i
		}
	}
	told := rules[index].told
	if t.Trust != "reviewed" {
		told = "note"
	}
	words := fmt.Sprintf("%s (%s) is anchored at %s: %s.", shortened(t.Title), t.Trust, anchor, c.told())
	for _, s := range t.MayBeWrong[:min(len(t.MayBeWrong), sentencesMax)] {
		words += fmt.Sprintf("\n%s: %s", s.Field, shortened(s.Text))
	}
	sum := sha256.Sum256([]byte(t.Slug + "\x00" + anchor + "\x00" + c.Path))
	r := sarifResult{
		RuleID: "driftless/" + string(level), RuleIndex: index, Level: told, Message: sarifText{words},
		Fingerprints: map[string]string{"driftlessTopic/v1": hex.EncodeToString(sum[:16])},
	}
	if d.Link != nil {
		r.HostedURI = d.Link(t.Slug)
	}
	var at sarifLocation
	at.Physical.Artifact.URI, at.Physical.Artifact.Base = (&url.URL{Path: c.Path}).EscapedPath(), "%SRCROOT%"
	at.Physical.Region.StartLine = 1
	r.Locations = []sarifLocation{at}
	return r
}

// shortened is a foreign text as one line; in a message of SARIF brackets would be links (§3.11.6).
func shortened(text string) string {
	text = strings.NewReplacer("[", `\[`, "]", `\]`).Replace(strings.Join(strings.Fields(text), " "))
	if runes := []rune(text); len(runes) > textMax {
		return string(runes[:textMax]) + "…"
	}
	return text
}
