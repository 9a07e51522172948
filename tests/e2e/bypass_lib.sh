# What the end-to-end tests of `warpline bypass` share; read by them with `.` after lib.sh.
# shellcheck shell=sh

# list_sum CSV LIST FIELD: of `warpline bypass --csv`, the field summed over kernels of the list of that
# name. Only kernels and rules are in quotes. Two lists that do the same may both have the name.
list_sum() {
	awk -F '"' -v row=" $2 " -v field="$3" '
		NR == 1 { n = split($0, head, ","); for (i = 1; head[i] != "list"; i++) ; first = i - 1
			for (i = 1; i <= n; i++) if (head[i] == field) at = i - first
			if (at < 2) exit 1
			next }
		{ rows = $3; gsub(/,/, "", rows); split($5, number, ",")
			if (index(" " rows " ", row) && !seen[$2]++) { sum += number[at]; found = 1 } }
		END { if (!found) exit 1; printf "%d\n", sum }' "$1" ||
		fail "$1 has no $3 of the list $2"
}

# rules_of FILE: the rules of a bypass list on one line each, without places and comments.
rules_of() {
	sed -e 1d -e 's/ at .*//' -e '/^#/d' -e '/^$/d' "$1"
}
