#!/bin/bash
# Self-play over one folder: GNU parallel starts the actors, here or on the machines named in HOSTS (`:` is this one), which must share
# the folder; this process learns.
set -euo pipefail
run=${RUN:-runs/zero}
shards=${SHARDS:-16}
# Options such as --channels are words of OPTIONS.
# shellcheck disable=SC2206
common=(train zero --games "${GAMES:-16384}" --sync-generation "${GENERATION:-1024}" --simulations "${SIMULATIONS:-200}" ${OPTIONS:-}
    --out "$run")
# Each actor ends with 3 when the run needs no more games from its games; what counts is the exit code of the process that learns.
parallel --sshlogin "${HOSTS:-:}" --workdir . --jobs "$shards" \
    roughboard "${common[@]}" --shard "{}/$shards" --threads "${THREADS:-1}" --quiet ::: $(seq "$shards") &
players=$!
code=0
roughboard "${common[@]}" --actors "$shards" --resume || code=$?
# Without a learner actors would wait for ever.
if [ "$code" -ne 0 ]; then kill "$players" || true; fi
wait || true
exit "$code"
