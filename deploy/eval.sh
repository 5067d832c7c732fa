#!/usr/bin/env bash
# Evaluation on the material that lies beside this checkout: retrieval answers labelled questions, every project is
# imported twice, the second time must change nothing, and the whole job is done over one of them; labelled texts are screened, and drift is replayed on labelled histories. DRIFTLESS_DATA names the folder of the material.
set -euo pipefail
cd "$(dirname "$0")/.."
data=${DRIFTLESS_DATA:-../shared/data}
if [ ! -d "$data/import" ]; then
  echo "eval: there is no material at $data; set DRIFTLESS_DATA" >&2
  exit 1
fi
go run ./e2e/screening "$data"
go run ./e2e/globs "$data/globs/glob-facts.tsv"
go run ./e2e/drifting "$data" docs/drift-quality.md
work=$(mktemp -d) && chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
python3 deploy/stage_import.py "$data/import" "$work/corpus" "$data/rules/rules.jsonl" >"$work/corpus.folders"
go run ./bench/retrieval -trees "$work/corpus.folders" -memory "$data/retrieval/coding-memory"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
export DRIFTLESS_ADDR=127.0.0.1:$port DRIFTLESS_DATA_DIR=$work/data DRIFTLESS_URL=http://127.0.0.1:$port
bin/driftless serve >"$work/serve.log" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 300); do
  curl -fsS "$DRIFTLESS_URL/readyz" >/dev/null 2>&1 && break
  kill -0 $server 2>/dev/null || { cat "$work/serve.log" >&2; exit 1; }
  read -rt 0.1 <> <(:) || true
done
credentials=$(echo "evaluation password" | bin/driftless admin bootstrap --email eval@example.test --workspace eval --password-stdin --json)
DRIFTLESS_API_KEY=$(python3 -c 'import json, sys; print(json.loads(sys.argv[1])["api_key"])' "$credentials")
export DRIFTLESS_API_KEY DRIFTLESS_WORKSPACE=eval

run() { # run ROUND: imports every project, prints the seconds
  local begin end
  begin=$(date +%s.%N)
  while read -r folder; do
    (cd "$folder" && git init -q . 2>/dev/null; cd - >/dev/null; bin/driftless import "$folder" -o json) >>"$work/$1.json" 2>>"$work/$1.log" || {
      tail -5 "$work/$1.log" >&2; exit 1; }
  done <"$work/folders"
  end=$(date +%s.%N)
  python3 -c "print(round($end - $begin, 1))"
}
python3 deploy/stage_import.py "$data/import" "$work/trees" >"$work/folders"
first=$(run first)
second=$(run second)
python3 - "$work" "$first" "$second" <<'PY'
import json, pathlib, subprocess, sys
work, first, second = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
def counts(name):
    text, total, decoder, at = (work / (name + ".json")).read_text(), {}, json.JSONDecoder(), 0
    while at < len(text.rstrip()):
        value, at = decoder.raw_decode(text, at)
        while at < len(text) and text[at].isspace():
            at += 1
        for key, n in (value.get("counts") or {}).items():
            total[key] = total.get(key, 0) + n
    return total
one, two = counts("first"), counts("second")
topics = anchors = relations = 0
cursor = None
def driftless(*args):
    return json.loads(subprocess.run(["bin/driftless", *args, "-o", "json"], check=True, capture_output=True, text=True).stdout)
while True:
    page = driftless("context", "list", "--limit", "200", *(["--cursor", cursor] if cursor else []))
    for row in page["results"]:
        topic = driftless("context", "get", row["slug"])
        topics, anchors, relations = topics + 1, anchors + len(topic.get("anchors") or []), relations + len(topic["relations"]["outgoing"])
    cursor = page.get("next_cursor")
    if not page["has_more"]:
        break
print(f"import: {topics} topics, {anchors} anchors, {relations} relations in {first} s: {one}")
print(f"again:  {second} s: {two}")
changed = {k: n for k, n in two.items() if k != "unchanged" and n}
if changed or one.get("failed") or not topics:
    sys.exit(f"eval: the second import changed something, or one failed: {changed} {one}")
PY
deploy/tools.sh browser
DRIFTLESS_IMPORT_DIR=$(head -n 3 "$work/folders" | tail -n 1) node --test e2e/tests/main-job.test.mjs
echo "eval: 1 passed, 0 failed"
