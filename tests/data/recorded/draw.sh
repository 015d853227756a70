# Draws a table as CSV: draw.sh SEED ROWS COLUMNS NAME=EXPRESSION…, in the language of awk; r(n) is a random number below n of the generator of
# Park and Miller, i the row, j the column, v its numbers, k how many there are. The names:
#   value     the number of a column (3 of them: r(3))       shown   what stands in the cell (the number)
#   decision  the decision, after the numbers of the row     noise   N,M: one decision of N is r(M) instead
#   again     whether the row has the numbers of the one before (0)
#   weight    a column of weights below this number (none)
seed=$1 rows=$2 columns=$3
shift 3
value='r(3)' shown='v[j]' decision='r(3)' noise='' again=0 weight=''
for word; do
    case ${word%%=*} in
        value) value=${word#*=} ;;
        shown) shown=${word#*=} ;;
        decision) decision=${word#*=} ;;
        noise) noise=${word#*=} ;;
        again) again=${word#*=} ;;
        weight) weight=${word#*=} ;;
        *) echo "draw.sh: unknown: $word" >&2 && exit 2 ;;
    esac
done
exec awk "
function r(n) { seed = seed * 16807 % 2147483647; return int(seed * n / 2147483647) }
BEGIN {
    seed = $seed; k = $columns
    for (j = 0; j < k; j++) printf \"c%d,\", j
    print \"${weight:+w,}d\"
    for (i = 0; i < $rows; i++) {
        same = $again
        for (j = 0; j < k; j++) { if (!same) v[j] = $value; printf \"%s,\", $shown }
        ${weight:+printf \"%d,\", r($weight)}
        d = $decision
        ${noise:+if (r(${noise%,*}) == 0) d = r(${noise#*,})}
        print d
    }
}"
