#!/bin/bash
# All shards of a match with GNU parallel, here on the machines named in HOSTS (`:` is this one), then the whole match.
set -euo pipefail
run=${RUN:-runs/match}
shards=${SHARDS:-16}
mkdir -p "$run"
# GNU parallel counts how many commands failed; a shard alone is never the whole match, so each ends with 3 and what counts is the
# exit code of the merge.
parallel --sshlogin "${HOSTS:-:}" --workdir . --jobs "${JOBS:-4}" \
    roughboard match --entrants "${ENTRANTS:-docs/cluster/entrants.toml}" --games "${GAMES:-1000}" --depth "${DEPTH:-4}" \
    --shard "{}/$shards" --resume --out "$run/shard-{}" --threads 1 --quiet ::: $(seq "$shards") || true
roughboard match merge "$run"/shard-* --out "$run/all"
