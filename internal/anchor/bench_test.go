package anchor_test

import (
	"fmt"
	"math/rand/v2"
	"path"
	"runtime"
	"strings"
	"testing"

	"driftless/internal/anchor"
)

// monorepo makes a tree of about 50,000 files, the same on every run.
func monorepo() []string {
	random := rand.New(rand.NewPCG(1, 2))
	extensions := []string{".go", ".ts", ".tsx", ".md", ".py", ".yaml", ".sql", ".css"}
	var files []string
	for top := range 20 {
		for service := range 25 {
			for part := range 10 {
				for file := range 10 {
					dir := fmt.Sprintf("area%02d/service%02d/%s%d", top, service, []string{"api", "store", "web", "internal"}[part%4], part)
					if file%3 == 0 {
						dir += "/deep"
					}
					files = append(files, fmt.Sprintf("%s/file%d%s", dir, file, extensions[random.IntN(len(extensions))]))
				}
			}
		}
	}
	return files
}

// topics makes sets of one pattern each: 30% folders, 25% files, 27% globs of an
// extension, 6% braces, 6% with a wildcard folder inside, 6% at any depth.
func topics(count int, files []string) []anchor.Set {
	random := rand.New(rand.NewPCG(3, 4))
	sets := make([]anchor.Set, count)
	for i := range sets {
		file := files[random.IntN(len(files))]
		dir, ext := path.Dir(file), path.Ext(file)
		parts := strings.Split(file, "/")
		var text string
		switch share := random.IntN(100); {
		case share < 30:
			text = dir + "/**"
		case share < 55:
			text = file
		case share < 68:
			text = dir + "/**/*" + ext
		case share < 82:
			text = dir + "/*" + ext
		case share < 88:
			text = dir + "/*.{go,ts}"
		case share < 94:
			text = parts[0] + "/*/" + parts[2] + "/**"
		default:
			text = fmt.Sprintf("**/%s/*%s", parts[2], ext)
		}
		set, err := anchor.ParseAll([]string{text})
		if err != nil {
			panic(err)
		}
		sets[i] = set
	}
	return sets
}

func pick(count int, files []string) []string {
	random := rand.New(rand.NewPCG(5, 6))
	picked := make([]string, count)
	for i := range picked {
		picked[i] = files[random.IntN(len(files))]
	}
	return picked
}

// BenchmarkMatch measures ten files a call; the naive loop is the floor to beat.
func BenchmarkMatch(b *testing.B) {
	files := monorepo()
	asked := pick(10, files)
	for _, count := range []int{1_000, 10_000, 100_000} {
		sets := topics(count, files)
		trie := anchor.NewTrie[int]()
		for i, set := range sets {
			trie.Add(i, set)
		}
		b.Run(fmt.Sprintf("trie/%d", count), func(b *testing.B) {
			hits := 0
			for b.Loop() {
				hits = 0
				for _, file := range asked {
					hits += len(trie.Match(file))
				}
			}
			b.ReportMetric(float64(hits), "hits")
		})
		b.Run(fmt.Sprintf("naive/%d", count), func(b *testing.B) {
			hits := 0
			for b.Loop() {
				hits = 0
				for _, file := range asked {
					for _, set := range sets {
						if _, ok := set.Match(file); ok {
							hits++
						}
					}
				}
			}
			b.ReportMetric(float64(hits), "hits")
		})
	}
}

// BenchmarkBuild reports what the trie itself keeps, without the sets.
func BenchmarkBuild(b *testing.B) {
	for _, count := range []int{10_000, 100_000} {
		sets := topics(count, monorepo())
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			var before, after runtime.MemStats
			for b.Loop() {
				runtime.GC()
				runtime.ReadMemStats(&before)
				trie := anchor.NewTrie[int]()
				for i, set := range sets {
					trie.Add(i, set)
				}
				runtime.GC()
				runtime.ReadMemStats(&after)
				runtime.KeepAlive(trie)
			}
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MiB")
			runtime.KeepAlive(sets)
		})
	}
}

// BenchmarkMatchDeepest asks for the path with the most folders that is allowed.
func BenchmarkMatchDeepest(b *testing.B) {
	files := monorepo()
	trie := anchor.NewTrie[int]()
	for i, set := range topics(10_000, files) {
		trie.Add(i, set)
	}
	deepest := strings.Repeat("a/", anchor.MaxPath/2-1) + "b"
	for b.Loop() {
		trie.Match(deepest)
	}
}

func BenchmarkReplaceOne(b *testing.B) {
	files := monorepo()
	sets := topics(100_000, files)
	trie := anchor.NewTrie[int]()
	for i, set := range sets {
		trie.Add(i, set)
	}
	next := 0
	for b.Loop() {
		trie.Add(next, sets[next])
		next = (next + 1) % len(sets)
	}
}

func BenchmarkValidate(b *testing.B) {
	files := monorepo()
	set, err := anchor.ParseAll([]string{"area00/**", "area01/**/*.go", "!**/deep/**", "file3.go", "area02/service03/"})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		anchor.Validate(set, files)
	}
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := anchor.Parse("./services/{api,web}/**/*.{ts,tsx}"); err != nil {
			b.Fatal(err)
		}
	}
}
