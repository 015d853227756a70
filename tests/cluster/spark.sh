#!/usr/bin/env bash
# Asks real engines about tables and compares with what the program finds at hand: Sail, and Spark with two workers, on loopback addresses
# only. Changes a table while it is read, kills an executor of Spark on the way, then the engine itself. Everything that it starts is stopped
# at the end.
#
# Usage: tests/cluster/spark.sh PROGRAM [sail|spark|both], of a program built with `--features spark`, such as target/release/roughboard.
# Needs python3 with venv and PyPI; Spark needs Java 17 too. VENVS is a folder that keeps what is installed for the next time. ROWS and SPARK_ROWS are the rows of the large table at Sail and at Spark.
set -euo pipefail
program=$(realpath "${1:?the program roughboard}")
engines=${2:-both}
here=$(realpath "$(dirname "$0")")
rows=${ROWS:-1000000}
spark_rows=${SPARK_ROWS:-50000}
patience=${PATIENCE:-900}

place=$(mktemp -d /tmp/roughboard-spark-XXXXXX)
mkdir "$place"/{log,pid,tables,answers}
say() { printf '%s %s\n' "$(date +%T)" "$*"; }
fail() { say "FAILED: $*"; tail -n 5 "$place"/log/* 2> /dev/null | cut -c1-300 || true; exit 1; }

# Ends a process that was started here, and what it has started.
end() {
    local pid
    pid=$(cat "$place/pid/$1" 2> /dev/null) || return 0
    kill -TERM -- "-$pid" 2> /dev/null || true
    for _ in $(seq 50); do kill -0 -- "-$pid" 2> /dev/null || break; sleep 0.2; done
    kill -KILL -- "-$pid" 2> /dev/null || true
    rm -f "$place/pid/$1"
}
stop() {
    for name in connect worker1 worker2 master sail; do end "$name"; done
    rm -rf "$place"
}
trap stop EXIT

# Starts a process in a group of its own.
start() {
    local name=$1
    shift
    setsid "$@" > "$place/log/$name.log" 2>&1 &
    echo $! > "$place/pid/$name"
}

free_port() { "$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
await_port() {
    for _ in $(seq 300); do
        if (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null; then return; fi
        sleep 0.3
    done
    fail "nothing listens at port $1"
}

# install NAME PACKAGE…: a virtual environment of that name with these packages, unless it is there.
install() {
    local name=$1
    shift
    if [ -x "$venvs/$name/bin/python" ]; then return; fi
    python3 -m venv "$venvs/$name" > /dev/null 2>&1 || { say "skipped: python3 makes no virtual environments here"; exit 0; }
    timeout 600 "$venvs/$name/bin/pip" install --quiet "$@" > "$place/log/pip.log" 2>&1 || { say "skipped: $* cannot be installed here"; exit 0; }
}

if [ "$engines" != sail ] && ! command -v java > /dev/null; then
    say "skipped: Spark, as there is no java"
    [ "$engines" = both ] || exit 0
    engines=sail
fi
venvs=${VENVS:-$place/venvs}
install sail numpy pyarrow "pysail==0.7.*"
# Apart from Sail, which refuses some versions of it.
[ "$engines" = sail ] || install spark "pyspark==4.*"
python=$venvs/sail/bin/python

tables=$place/tables
"$python" "$here/tables.py" make "$tables" "$rows" "$spark_rows"
"$program" table build --out "$tables/games.parquet" --quiet > /dev/null
say "tables: $(du -h --apparent-size "$tables/large.parquet" | cut -f1) of $rows rows, $(du -h "$tables/games.parquet" | cut -f1) of games"

# local QUESTION… TABLE OPTIONS…: an answer at hand, asked for once. remote: the same of the engine. Both print seconds.
seconds() { local begun=$EPOCHREALTIME; "$@"; awk -v a="$begun" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f s", b - a }'; }
ask() {
    local answer=$1
    shift
    timeout "$patience" "$program" rough "$@" --json > "$answer" 2> "$place/log/stderr" || fail "rough $*: $(tail -n 1 "$place/log/stderr")"
}

# same WHAT TABLE AT_HAND OPTIONS…: the same answer from the engine and at hand; options after -- are for the engine alone.
same() {
    local what=$1 table=$2 at_hand=$3 both=() engine_only=() into=both one there here_
    shift 3
    for one in "$@"; do
        if [ "$one" = -- ]; then into=engine_only; elif [ $into = both ]; then both+=("$one"); else engine_only+=("$one"); fi
    done
    there=$(seconds ask "$place/answers/remote" $what "$table" "${both[@]}" --engine "$engine" "${engine_only[@]}")
    here_=$(seconds ask "$place/answers/local" $what "$at_hand" "${both[@]}")
    # shellcheck disable=SC2015
    "$python" "$here/tables.py" same "$place/answers/remote" "$place/answers/local" || fail "$what $(basename "$table") ${both[*]} ${engine_only[*]}"
    say "  $what $(basename "$table") ${both[*]} ${engine_only[*]}: $there, at hand $here_"
}

# refused EXPECTED OPTIONS…: one clear line.
refused() {
    local expected=$1 found
    shift
    if found=$(timeout 120 "$program" rough "$@" --quiet 2>&1 > /dev/null); then fail "rough $* was not refused"; fi
    [[ $found == *"$expected"* ]] || fail "rough $*: expected '$expected', found '$found'"
    [ "$(grep -vc '^note: ' <<< "$found")" -eq 1 ] || fail "rough $*: more than a line: $found"
}

small_tables() {
    local t=$tables/strange.parquet notion
    same info "$t" "$t" --decision d --ignore w
    same info "$t" "$t"
    same approx "$t" "$t" --decision d --weight w
    same approx "$t" "$t" --decision d --decision part --missing drop --beta 0.7
    for notion in positive generalized distribution information; do
        same core "$t" "$t" --decision d --weight w --notion $notion -- --fetch 0
        same "reduct --method backward" "$t" "$t" --decision d --weight w --notion $notion -- --fetch 0
    done
    same reduct "$t" "$t" --decision d --weight w --ignore 'a b' --minimum
    refused "no decision column \`e\`" approx "$t" --decision e --engine "$engine"
    t=$tables/typed.parquet
    same info "$t" "$t" --decision d
    same approx "$t" "$t" --decision d
    same core "$t" "$t" --decision d --notion information -- --fetch 0
    reduct_of "$t" "$t" --decision d -- --fetch 0
    t=$tables/counts.parquet
    same approx "$t" "$t" --decision d --weight w
    same core "$t" "$t" --decision d --weight w -- --fetch 0
    refused "d=0\` times the weight has" core "$tables/large-counts.parquet" --decision d --weight w --engine "$engine"
    t=$tables/strange.parquet
    refused "\`part\` is of the type string, expected counts" approx "$t" --decision d --weight part --engine "$engine"
    refused "\`wide\` (decimal of 38 digits), \`list\` (array)" core "$tables/refused.parquet" --decision d --engine "$engine"
    refused "none.parquet\`: " core "$tables/none.parquet" --decision d --engine "$engine"
    refused "rows without a count" core "$t" --decision d --weight real --engine "$engine"
    refused "expected s3://" core none.parquet --decision d --engine "$engine"
    refused "needs the rows at hand" core "$t" --decision d --missing tolerance --engine "$engine"
    refused "take --method backward" reduct "$t" --decision d --minimum --fetch 0 --engine "$engine"
}

# reduct_of TABLE AT_HAND OPTIONS…: the same reduct from the engine and at hand, and its certificate holds at hand.
reduct_of() {
    local table=$1 at_hand=$2
    shift 2
    rm -f "$place/answers/certificate.json"
    same "reduct --method backward" "$table" "$at_hand" "$@" --certificate "$place/answers/certificate.json"
    "$program" rough verify "$at_hand" "$place/answers/certificate.json" --json > "$place/answers/verdict" || fail "the certificate does not hold"
    grep -q '"same_file":true,"verified":true\|"same_file":true.*"verified":true' "$place/answers/verdict" || fail "$(cat "$place/answers/verdict")"
    say "  its certificate: verified"
}

questions() {
    local table=$1 at_hand=$2
    same info "$table" "$at_hand" --decision d
    same approx "$table" "$at_hand" --decision d
    same core "$table" "$at_hand" --decision d
    same core "$table" "$at_hand" --decision d -- --fetch 0
    reduct_of "$table" "$at_hand" --decision d -- --fetch 0
}

# The games that come with the program: a million rows, most of them distinct, which are fetched.
of_games() {
    local t=$tables/games.parquet
    same approx "$t" "$t" --decision result
    # To fetch them takes a Spark of two cores a quarter of an hour.
    [ "$1" = sail ] || return 0
    same core "$t" "$t" --decision result -- --fetch 1000000000
    reduct_of "$t" "$t" --decision result -- --fetch 1000000000
}

# Begins a long question in the background and waits until it is at query number $1.
begin() {
    "$program" rough reduct "$2" --decision d --fetch 0 --json --engine "$engine" > "$place/answers/remote" 2> "$place/log/long" &
    long=$!
    for _ in $(seq 3000); do
        if grep -q "^query $1:" "$place/log/long"; then return; fi
        kill -0 "$long" 2> /dev/null || fail "the question ended too early: $(tail -n 1 "$place/log/long")"
        sleep 0.1
    done
    fail "query $1 does not come"
}

changes_while_read() {
    begin 6 "$tables/parts"
    cp "$tables/more.parquet" "$tables/parts/part-4.parquet"
    if wait "$long"; then fail "a table that has changed gave an answer"; fi
    rm "$tables/parts/part-4.parquet"
    say "  a part file that comes while the folder is read: $(tail -n 1 "$place/log/long" | cut -c1-160)"
}

dies() {
    begin 6 "$1"
    end "$2"
    local begun=$SECONDS
    if wait "$long"; then fail "an engine that died gave an answer"; fi
    [ $((SECONDS - begun)) -lt 90 ] || fail "it took $((SECONDS - begun)) s to see that the engine is gone"
    say "  the engine dies: $(tail -n 1 "$place/log/long" | cut -c1-160) ($((SECONDS - begun)) s)"
    refused "no engine answers at" core "$1" --decision d --engine "$engine"
}

on_sail() {
    local port
    port=$(free_port)
    start sail "$venvs/sail/bin/sail" spark server --ip 127.0.0.1 --port "$port"
    await_port "$port"
    engine=spark://127.0.0.1:$port
    say "Sail $("$python" -c 'import importlib.metadata as m; print(m.version("pysail"))')"
    small_tables
    of_games sail
    questions "$tables/large.parquet" "$tables/large.parquet"
    changes_while_read
    dies "$tables/part.parquet" sail
}

executors() { pgrep -g "$(cat "$place/pid/$1")" -f CoarseGrainedExecutorBackend || true; }

on_spark() {
    local port master home
    home=$("$venvs/spark/bin/python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
    export SPARK_HOME=$home SPARK_LOCAL_IP=127.0.0.1 SPARK_DAEMON_MEMORY=512m SPARK_LOCAL_DIRS=$place/spark PYSPARK_PYTHON=$venvs/spark/bin/python
    port=$(free_port) master=$(free_port)
    start master "$home/bin/spark-class" org.apache.spark.deploy.master.Master --host 127.0.0.1 --port "$master" --webui-port 0
    await_port "$master"
    for one in 1 2; do
        start worker$one "$home/bin/spark-class" org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --cores 1 --memory 2g \
            --work-dir "$place/work$one" --webui-port 0 "spark://127.0.0.1:$master"
    done
    start connect "$home/bin/spark-submit" --master "spark://127.0.0.1:$master" --class org.apache.spark.sql.connect.service.SparkConnectServer \
        --conf spark.connect.grpc.binding.address=127.0.0.1 --conf spark.connect.grpc.binding.port="$port" \
        --conf spark.driver.memory=1g --conf spark.executor.memory=1500m --conf spark.executor.cores=1 --conf spark.driver.host=127.0.0.1 \
        --conf spark.sql.shuffle.partitions=4 --conf spark.ui.enabled=false --conf "spark.sql.warehouse.dir=$place/warehouse"
    await_port "$port"
    engine=spark://127.0.0.1:$port
    say "Spark $("$venvs/spark/bin/python" -c 'import pyspark; print(pyspark.__version__)') with two workers"
    small_tables
    questions "$tables/parts" "$tables/part.parquet"
    changes_while_read
    begin 8 "$tables/parts"
    [ -n "$(executors worker2)" ] || fail "no executor runs on worker 2"
    kill -KILL $(executors worker2)
    wait "$long" || fail "an executor was killed: $(tail -n 1 "$place/log/long")"
    ask "$place/answers/local" reduct "$tables/part.parquet" --decision d --method backward
    "$python" "$here/tables.py" same "$place/answers/remote" "$place/answers/local" || fail "another reduct where an executor was killed"
    say "  an executor is killed: the same reduct"
    of_games spark
    dies "$tables/parts" connect
}

[ "$engines" = spark ] || on_sail
[ "$engines" = sail ] || on_spark
say "all passed"
