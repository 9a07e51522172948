# compare.awk - awk -f compare.awk WANT GOT: ends with 0 when what was printed (GOT) is what a document
# shows (WANT), else with 1 and a sentence. "..." in a line of its own stands for any lines, within a
# line for any text. Blanks at the ends of lines do not count.

function line_fits(want, got,    parts, n, i, at) {
	n = split(want, parts, /\.\.\./)
	if (n == 1)
		return want == got
	if (substr(got, 1, length(parts[1])) != parts[1])
		return 0
	got = substr(got, length(parts[1]) + 1)
	for (i = 2; i < n; i++) {
		at = parts[i] == "" ? 1 : index(got, parts[i])
		if (!at)
			return 0
		got = substr(got, at + length(parts[i]))
	}
	return length(got) >= length(parts[n]) &&
		substr(got, length(got) - length(parts[n]) + 1) == parts[n]
}

# How many of the lines want[from .. to - 1] are got[at ...], as far as they fit one by one.
function fitting(from, to, at,    n) {
	for (n = 0; from + n < to; n++)
		if (at + n > got_count || !line_fits(want[from + n], got[at + n]))
			break
	return n
}

function fail(number, at) {
	printf "line %d of what is shown is not printed:\n  shown    %s\n", number, want[number]
	if (at != "")
		printf "  printed  %s\n", at > got_count ? "(the end)" : got[at]
	exit 1
}

{ sub(/[ \t]+$/, "") }
FNR == NR { want[++want_count] = $0; next }
{ got[++got_count] = $0 }

END {
	at = 1
	free = 0 # whether lines may be passed over
	for (i = 1; i <= want_count; i = to) {
		if (want[i] == "...") {
			free = 1
			to = i + 1
			continue
		}
		for (to = i; to <= want_count && want[to] != "..."; to++)
			;
		if (free && to > want_count && got_count - (to - i) + 1 >= at)
			at = got_count - (to - i) + 1 # the last lines are the last lines
		best = fitting(i, to, at)
		for (first = at; free && best < to - i && first <= got_count; first++) {
			n = fitting(i, to, first)
			if (n > best)
				best = n
			if (n == to - i)
				at = first
		}
		if (best < to - i)
			fail(i + best, free ? "" : at + best)
		at += to - i
		free = 0
	}
	if (!free && at <= got_count) {
		printf "more is printed than shown:\n  printed  %s\n", got[at]
		exit 1
	}
}
