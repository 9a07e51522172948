#!/bin/sh
# conditional_barriers.sh INSTRUMENTER: which kernels have a barrier under a condition.
set -u
instrumenter=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

# expect true|false BODY: what the table of a kernel with this body says.
expect() {
	echo "__kernel void k(__global int *a, int n)
{
	int i = get_global_id(0), t = get_local_id(0);
	$2
}" >"$dir/k.cl"
	"$instrumenter" --source "$dir/k.cl" --output "$dir/k.bc" --table "$dir/k.json" || exit 1
	if ! tr -d ' \n' <"$dir/k.json" | grep -q "\"has_conditional_barrier\":$1"; then
		echo "expected $1: $2"
		failures=$((failures + 1))
	fi
}

expect false 'a[i] = 1;'
expect false 'a[i] = 1; barrier(1); a[i] += 1;'
expect false 'if (i < n) a[i] = 1; barrier(1); if (i < n) a[i] += 1;'
expect false 'barrier(1); if (i >= n) return; a[i] = 1;'
expect false 'for (int q = 0; q < n; q++) { if (t < q) a[i] = q; barrier(1); }'
expect false 'for (int q = 0; q < n; q++) for (int r = 0; r < q; r++) { barrier(1); a[i] = r; }'
expect false 'do { a[i]++; barrier(1); } while (a[0] < n);'
expect true 'if (i < n) { a[i] = 1; barrier(1); a[i] += 1; }'
expect true 'if (i >= n) return; a[i] = 1; barrier(1); a[i] += 1;'
expect true 'barrier(1); if (i >= n) return; a[i] = 1; barrier(1); if (t == 0) a[i] = 7;'
expect true 'if (i >= n) { barrier(1); a[i] = 2; } else { barrier(1); a[i] = 3; }'
expect true 'for (int q = 0; q < n; q++) { if (a[q]) { barrier(1); a[i] = q; } }'
expect true 'for (int q = 0; q < n; q++) { if (a[q]) break; barrier(1); a[i] = q; }'
expect true 'for (int q = 0; q < n; q++) { if (a[q]) continue; barrier(1); a[i] = q; }'
expect true 'if (n) for (int q = 0; q < n; q++) { barrier(1); a[i] = q; }'
expect true 'barrier(1); for (int q = 0; q < n; q++) { if (i >= n) return; barrier(1); a[i] = q; }'

# refused yes|no SITES OPTION...: whether a kernel of so many sites, one of them a barrier under a
# condition, gets a reason in the place of its probes.
refused() {
	want=$1 sites=$2
	shift 2
	{
		echo '__kernel void k(__global int *a, int n) {'
		echo 'int t = get_local_id(0); if (n > 3) { barrier(1); a[t] = 1; }'
		for site in $(seq 3 "$sites"); do
			echo "a[n * $site] = t;"
		done
		echo '}'
	} >"$dir/k.cl"
	"$instrumenter" --source "$dir/k.cl" --output "$dir/k.bc" --table "$dir/k.json" "$@" || exit 1
	got=yes
	! tr -d ' \n' <"$dir/k.json" | grep -q '"refusal":null' || got=no
	if [ "$got" != "$want" ]; then
		echo "$sites sites, $*: refused: $got, expected $want"
		failures=$((failures + 1))
	fi
}

refused no 64 --mixes-items 1
refused yes 65 --mixes-items 1
refused yes 65 --mixes-items 1 --records none
refused no 65 --mixes-items 0
refused no 65
refused no 64 --mixes-items 1 --records none
refused yes 3 --mixes-items 1 --records count
refused no 3 --mixes-items 0 --records count

[ "$failures" = 0 ]
