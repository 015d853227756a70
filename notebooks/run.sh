#!/usr/bin/env bash
# Executes the notebooks headless and writes their outputs into them, or with --into FOLDER into copies there, which leaves them as
# they are. README.md says what they need.
set -euo pipefail
case "$#:${1:-}" in
0:) where=(--inplace) ;;
2:--into)
    mkdir -p "$2"
    where=(--output-dir "$(cd "$2" && pwd)")
    ;;
*)
    echo "usage: $0 [--into FOLDER]" >&2
    exit 2
    ;;
esac
cd "$(dirname "$0")"
for notebook in *.ipynb; do
    # Times would be other ones on every run.
    python3 -m nbconvert --log-level WARN --to notebook --execute "${where[@]}" \
        --ExecutePreprocessor.record_timing=False --ExecutePreprocessor.timeout=300 "$notebook"
done
