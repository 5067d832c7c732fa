// Command screening measures what package screen finds in labelled texts, prints a line of figures for each set, and fails below
// the floor. The sets are JSON Lines in a folder that is named as its argument; they are no part of this repository.
//
// It refuses to judge single texts: what is missed is listed, and it is for a person to say whether that is a loss.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"driftless/internal/screen"
)

// The floor: shares of the explicit attacks that are flagged and of the harmless texts that are, and of secrets that are found
// and of their look-alikes that are taken for one.
const (
	attacksFloor   = 0.95
	benignCeiling  = 0.01
	secretsFloor   = 0.95
	lookAlikesCeil = 0.01
)

// sample is one labelled text of either set.
type sample struct {
	ID       string `json:"id"`
	Text     string `json:"text"`
	Encoded  string `json:"text_b64"`
	Label    string `json:"label"`
	Kind     string `json:"kind"`
	Explicit bool   `json:"explicit"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: screening FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "screening:", err)
		os.Exit(1)
	}
}

// share counts hits among texts.
type share struct{ hit, all int }

func (s *share) add(hit bool) {
	s.all++
	if hit {
		s.hit++
	}
}

func (s share) of() float64 { return float64(s.hit) / float64(max(s.all, 1)) }

func (s share) String() string { return fmt.Sprintf("%d of %d (%.1f %%)", s.hit, s.all, 100*s.of()) }

func run(folder string) error {
	var explicit, other, benign, secrets, alike share
	for _, name := range []string{"attacks.jsonl", "attacks-with-code.jsonl"} {
		err := each(filepath.Join(folder, "injection", name), func(s sample) error {
			hit := len(screen.Instructions(s.Text)) > 0
			if !s.Explicit {
				other.add(hit)
				return nil
			}
			if explicit.add(hit); !hit {
				fmt.Println("  missed:", s.ID, s.Kind)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	err := each(filepath.Join(folder, "injection", "benign.jsonl"), func(s sample) error {
		hit := len(screen.Instructions(s.Text)) > 0
		if benign.add(hit); hit {
			fmt.Println("  flagged though harmless:", s.ID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = each(filepath.Join(folder, "secrets", "secrets.jsonl"), func(s sample) error {
		text, err := base64.StdEncoding.DecodeString(s.Encoded)
		if err != nil {
			return fmt.Errorf("decode %s: %w", s.ID, err)
		}
		hit, secret := len(screen.Secrets(string(text))) > 0, s.Label == "secret"
		if secret {
			secrets.add(hit)
		} else {
			alike.add(hit)
		}
		if hit != secret {
			fmt.Println("  wrong:", s.ID, s.Kind)
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("screening: explicit attacks flagged %v, other attacks %v, harmless texts flagged %v\n", explicit, other, benign)
	fmt.Printf("screening: secrets found %v, look-alikes taken for one %v\n", secrets, alike)
	if explicit.of() < attacksFloor || benign.of() > benignCeiling || secrets.of() < secretsFloor || alike.of() > lookAlikesCeil {
		return fmt.Errorf("below the floor: attacks %.0f %%, harmless texts %.0f %%, secrets %.0f %%, look-alikes %.0f %%",
			100*attacksFloor, 100*benignCeiling, 100*secretsFloor, 100*lookAlikesCeil)
	}
	return nil
}

// each reads the samples of a file.
func each(path string, take func(sample) error) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open a set: %w", err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var s sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return fmt.Errorf("read %s: %w", filepath.Base(path), err)
		}
		if err := take(s); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	return nil
}
