#!/usr/bin/env bash
# Runs the job files of docs/cluster on a real Slurm of two nodes, both on this machine and on loopback addresses only; kills a task and a
# node on the way; compares what comes out with single runs byte for byte. Everything that it starts is stopped at the end.
#
# Usage, as root: tests/cluster/slurm.sh PROGRAM, such as target/release/roughboard. Needs slurmctld, slurmd, slurm-client and munge.
set -euo pipefail
program=$(realpath "${1:?the program roughboard}")
root=$(realpath "$(dirname "$0")/../..")
patience=${PATIENCE:-600}

for tool in munged slurmctld slurmd sbatch scontrol; do
    command -v "$tool" > /dev/null || { echo "skipped: there is no $tool (Debian: slurmctld slurmd slurm-client munge)"; exit 0; }
done
[ "$(id -u)" -eq 0 ] || { echo "skipped: the daemons of Slurm need root"; exit 0; }

place=$(mktemp -d /tmp/roughboard-slurm-XXXXXX)
export SLURM_CONF=$place/slurm.conf
mkdir -p "$place"/{state,spool-n1,spool-n2,log,run,bin,work}
ln -s "$program" "$place/bin/roughboard"
export PATH=$place/bin:$PATH
cd "$place/work"

say() { printf '%s %s\n' "$(date +%T)" "$*"; }
fail() { say "FAILED: $*"; tail -n 5 "$place"/log/*.out 2> /dev/null || true; exit 1; }

# The processes that tasks have started on a node.
processes_on() {
    local one
    for one in /proc/[0-9]*; do
        if { cat "$one/environ" 2> /dev/null || true; } | tr '\0' '\n' | grep -qx "SLURMD_NODENAME=$1"; then basename "$one"; fi
    done
}

# Takes a node away: the daemon, the tasks, and those that watch over them and would report their end.
fail_node() {
    local one tasks watchers
    tasks=$(processes_on "$1")
    watchers=$(for one in $tasks; do ps -o ppid= -p "$one"; done | sort -u | while read -r one; do
        if [ "$(ps -o comm= -p "$one")" = slurmstepd ]; then echo "$one"; fi; done)
    [ -n "$tasks" ] && [ -n "$watchers" ] || fail "nothing runs on node $1"
    say "node $1 fails, with $(wc -w <<< "$tasks") processes of its tasks"
    # shellcheck disable=SC2086
    kill -KILL "$(cat "$place/run/slurmd-$1.pid")" $watchers $tasks
    scontrol update nodename="$1" state=down reason=test
}

stop() {
    scancel --user=root --quiet 2> /dev/null || true
    sleep 1
    for daemon in slurmd-n1 slurmd-n2 slurmctld munged; do
        if [ -f "$place/run/$daemon.pid" ]; then kill "$(cat "$place/run/$daemon.pid")" 2> /dev/null || true; fi
    done
    sleep 1
    rm -rf "$place"
}
trap stop EXIT

# Two nodes that share the name of this machine and differ in their ports.
write_configuration() {
    local host memory
    host=$(hostname -s)
    memory=$(awk '/MemTotal/ { print int($2 / 4096) }' /proc/meminfo)
    {
        printf '%s\n' "ClusterName=test" "SlurmctldHost=$host(127.0.0.1)" "SlurmUser=root" "SlurmdUser=root"
        printf '%s\n' "AuthType=auth/munge" "CryptoType=crypto/munge" "AuthInfo=socket=$place/run/munge.socket"
        printf '%s\n' "SlurmctldPort=17817" "StateSaveLocation=$place/state" "SlurmdSpoolDir=$place/spool-%n"
        printf '%s\n' "SlurmctldPidFile=$place/run/slurmctld.pid" "SlurmdPidFile=$place/run/slurmd-%n.pid"
        printf '%s\n' "SlurmctldLogFile=$place/log/slurmctld.log" "SlurmdLogFile=$place/log/slurmd-%n.log"
        printf '%s\n' "ProctrackType=proctrack/linuxproc" "TaskPlugin=task/none" "SwitchType=switch/none" "MpiDefault=none"
        printf '%s\n' "JobAcctGatherType=jobacct_gather/none" "AccountingStorageType=accounting_storage/none"
        printf '%s\n' "SelectType=select/cons_tres" "SelectTypeParameters=CR_CPU" "SchedulerType=sched/builtin"
        printf '%s\n' "ReturnToService=2" "MinJobAge=3600" "SlurmdTimeout=60" "KillWait=2" "SlurmdParameters=config_overrides"
        printf '%s\n' "CommunicationParameters=NoCtldInAddrAny,NoInAddrAny" "SchedulerParameters=batch_sched_delay=0"
        for node in 1 2; do
            echo "NodeName=n$node NodeHostname=$host NodeAddr=127.0.0.1 Port=1782$node CPUs=2 RealMemory=$memory State=UNKNOWN"
        done
        echo "PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO"
    } > "$SLURM_CONF"
}

start_cluster() {
    write_configuration
    (umask 077; head -c 128 /dev/urandom > "$place/run/munge.key")
    munged --key-file="$place/run/munge.key" --socket="$place/run/munge.socket" --pid-file="$place/run/munged.pid" \
        --log-file="$place/log/munged.log" --seed-file="$place/run/munge.seed" --force 2> /dev/null
    slurmctld
    slurmd -N n1
    slurmd -N n2
    for _ in $(seq 100); do
        [ "$(sinfo -h -N -o %T | grep -c idle)" -eq 2 ] && return
        sleep 0.3
    done
    fail "the two nodes did not come up: $(sinfo -h -N -o '%N %T' | tr '\n' ' ')"
}

submit() { sbatch --parsable --cpus-per-task=1 --output="$place/log/%x-%a.out" --open-mode=append "$@"; }
states() { scontrol show job "$1" 2> /dev/null | grep -o 'JobState=[A-Z_]*' | cut -d= -f2; }
is_running() { states "$1" | grep -q RUNNING; }

# Waits until a job, with all tasks of its array, has come to its end, which must be a good one.
await() {
    local begun=$SECONDS
    while states "$1" | grep -qvE 'COMPLETED|FAILED|CANCELLED|NODE_FAIL|TIMEOUT'; do
        [ $((SECONDS - begun)) -lt "$patience" ] || fail "job $1 is not done after $patience s: $(states "$1" | tr '\n' ' ')"
        sleep 0.5
    done
    if states "$1" | grep -qv COMPLETED; then fail "job $1 ended as $(states "$1" | sort | uniq -c | tr '\n' ' ')"; fi
}

same() { diff -r --exclude=.lock "$1" "$2" > "$place/log/diff.out" || fail "$1 and $2 differ: $(head -3 "$place/log/diff.out")"; }

# Parts as tasks 1 to 4, then task 0, which puts them together.
parts_and_whole() {
    parts=$(submit --array=1-4 "$root/docs/cluster/$1")
    whole=$(submit --array=0 --dependency="afterok:$parts" "$root/docs/cluster/$1")
}

start_cluster
say "Slurm $(sinfo --version | cut -d' ' -f2), nodes $(sinfo -h -N -o %N | tr '\n' ' ')"
export SHARDS=4 SEEDS=4 ENTRANTS=$root/docs/cluster/entrants.toml

say "a match, of which a task is killed and a node fails"
export RUN=runs/match GAMES=${MATCH_GAMES:-400} DEPTH=2
parts_and_whole match.slurm
for _ in $(seq 100); do is_running "${parts}_2" && break; sleep 0.1; done
sleep 1
scontrol requeue "${parts}_2" && say "task 2 is put back"
sleep 1
for _ in $(seq 100); do [ -n "$(processes_on n2)" ] && break; sleep 0.1; done
fail_node n2
sleep 1
slurmd -N n2
# The node may have come back by itself.
scontrol update nodename=n2 state=resume 2> /dev/null || true
await "$parts"
await "$whole"
roughboard match --entrants "$ENTRANTS" --games "$GAMES" --depth 2 --out runs/whole --threads 2 --quiet > /dev/null
same runs/match/all runs/whole
say "the match: same bytes as one run of $(grep -c . runs/whole/games.csv) lines of games"

say "games of self-play, in parts"
export OUT=runs/games/games.pgn.zst GAMES=${SELF_PLAY_GAMES:-200} DEPTH=1
parts_and_whole games.slurm
await "$whole"
mkdir single
roughboard games generate self-play --evaluator traditional --games "$GAMES" --depth 1 --random-plies 10 --margin 0.6 --seed 1 \
    --out single/games.pgn.zst --quiet > /dev/null
cmp "$OUT" single/games.pgn.zst || fail "the games differ"
cmp "$OUT.manifest.json" single/games.pgn.zst.manifest.json || fail "the manifests of the games differ"
say "the games: same bytes"

say "targets from searches in parts, and a network that learns from them"
export RUN=runs/net GAMES=$OUT DEPTH=2 METHOD=bp FEATURES=terms
parts_and_whole train.slurm
await "$whole"
roughboard train bp --games "$OUT" --features terms --mirror --flip-colours --quiescent --target search --teacher traditional \
    --teacher-depth 2 --out single/net --quiet > /dev/null
cmp runs/net/net.safetensors single/net/net.safetensors || fail "the networks differ"
say "the network: same bytes"

say "an experiment over four seeds"
export RUN=runs/seeds OPTIONS="--profile smoke"
parts_and_whole seeds.slurm
await "$whole"
roughboard reproduce td-random-walk --profile smoke --seeds 1..4 --out single/seeds --quiet > /dev/null
same runs/seeds single/seeds
say "the experiment: same bytes"

say "self-play of three actors and a learner, of which an actor is killed"
export RUN=runs/zero GAMES=16 GENERATION=8 SIMULATIONS=6 START="bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r 0 quiet=12 plies=40"
export OPTIONS="--channels 4 --layers 2 --batch 16"
# Actors and learner are there at the same time, and the nodes have four processors.
export SHARDS=3
zero=$(submit --array=0,2-3 "$root/docs/cluster/zero.slurm")
for _ in $(seq 600); do [ -f "$RUN/.resume/games/1.json" ] && break; sleep 0.1; done
# Without the first part the run does not come to the second generation, which this actor has games of.
scontrol requeue "${zero}_2" && say "actor 2 is put back after $(find "$RUN/.resume/games" -name '*.json' | wc -l) games of all"
late=$(submit --array=1 "$root/docs/cluster/zero.slurm")
await "$zero"
await "$late"
roughboard train zero --games "$GAMES" --sync-generation "$GENERATION" --simulations "$SIMULATIONS" --channels 4 --layers 2 --batch 16 \
    --start "$START" --out single/zero --quiet > /dev/null
same runs/zero single/zero
say "self-play: same bytes"
say "all passed"
