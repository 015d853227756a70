#!/usr/bin/env bash
# Executes the notebooks headless and writes their outputs into them. See README.md for what it needs.
set -euo pipefail
cd "$(dirname "$0")"
for notebook in *.ipynb; do
    python3 -m nbconvert --to notebook --execute --inplace "$notebook"
done
