#!/usr/bin/env python3
"""Lays out the importer's evaluation material as project trees.

Usage: stage_import.py SOURCE TARGET [RULES]. SOURCE has agents/<name>/ (context files under context/ with the ending .txt,
files.json with every path of the project and its links) and keps/ (folders of decision documents). Under TARGET each
project becomes a folder: its context files under their own names, an empty file for every other path that is no
Markdown, and the links. RULES is a file of rules, one JSON object a line; they become files in one folder, by source. It
prints the folders.
"""
import json
import os
import pathlib
import shutil
import sys


def place(path, text=b""):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_bytes(text)


def project(source, target):
    listing = json.loads((source / "files.json").read_text())
    context = source / "context"
    for file in context.rglob("*.txt"):
        place(target / str(file.relative_to(context))[: -len(".txt")], file.read_bytes())
    links = listing.get("symlinks") or {}
    pairs = links.items() if isinstance(links, dict) else [(link["path"], link["to"]) for link in links]
    for name, to in pairs:
        link = target / name
        link.parent.mkdir(parents=True, exist_ok=True)
        if not os.path.lexists(link):
            link.symlink_to(to)
    for entry in listing["files"]:
        name = entry if isinstance(entry, str) else entry["path"]
        path = target / name
        if path.suffix not in (".md", ".mdc") and not os.path.lexists(path):
            try:
                place(path)
            except OSError:
                pass  # a path below a link: its target is placed under its own name


def rules(source, target):
    for line in source.read_text().splitlines():
        rule = json.loads(line)
        front = {"description": rule["description"]} if rule["description"] else {}
        if rule["globs"]:
            front["globs" if rule["format"] == "mdc" else "applyTo"] = ",".join(rule["globs"])
        head = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in front.items())
        text = f"---\n{head}---\n{rule['body']}" if head else rule["body"]
        place(target / rule["source"].replace("/", "__") / rule["path"], text.encode())


def main(source, target, rule_file=None):
    source, target = pathlib.Path(source), pathlib.Path(target)
    for folder in sorted((source / "agents").iterdir()):
        if (folder / "files.json").exists():
            project(folder, target / folder.name)
            print(target / folder.name)
    if (source / "keps").exists():
        shutil.copytree(source / "keps", target / "keps", ignore=shutil.ignore_patterns("LICENSE*", "index.jsonl"))
        print(target / "keps")
    if rule_file:
        rules(pathlib.Path(rule_file), target / "rules")
        print(target / "rules")


if __name__ == "__main__":
    main(*sys.argv[1:4])
