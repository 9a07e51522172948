# What the end-to-end tests of `warpline bypass` share; read by them with `.` after lib.sh.
# shellcheck shell=sh

# list_sum CSV LIST FIELD: of `warpline bypass --csv`, the field summed over kernels of the list of that
# name. Two lists that do the same may both have the name.
list_sum() {
	awk -v row=" $2 " -v field="$3" "$(cat "$SOURCE_DIR/scripts/csv.awk")"'
		NR == 1 { for (i = cells($0, head); i; i--) if (head[i] == field) at = i
			if (at < 4) exit 1
			next }
		{ cells($0, value)
			if (index(" " value[2] " ", row) && !seen[value[1]]++) { sum += value[at]; found = 1 } }
		END { if (!found) exit 1; printf "%d\n", sum }' "$1" ||
		fail "$1 has no $3 of the list $2"
}

# rules_of FILE: the rules of a bypass list on one line each, without places and comments.
rules_of() {
	sed -e 1d -e 's/ at .*//' -e '/^#/d' -e '/^$/d' "$1"
}
