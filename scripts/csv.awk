# cells(LINE, CELL): the number of cells of a line of CSV (RFC 4180), in CELL[1]...
function cells(line, cell,    n) {
	for (n = 0; line != ""; line = substr(line, RLENGTH + 2)) {
		if (match(line, /^"([^"]|"")*"/)) {
			cell[++n] = substr(line, 2, RLENGTH - 2)
			gsub(/""/, "\"", cell[n])
		} else {
			match(line, /^[^,]*/)
			cell[++n] = substr(line, 1, RLENGTH)
		}
	}
	return n
}
