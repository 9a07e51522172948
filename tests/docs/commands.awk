# commands.awk - the command lines of a Markdown document, as README.md here defines them.
#
# awk -v out=FOLDER -f commands.awk DOCUMENT: for the n-th command of the document makes FOLDER/n.cmd
# and, where output is shown, FOLDER/n.want; prints a line for each of what it found:
#     command N REGION LINE       a command, of the region that begins in line REGION
#     synopsis LINE TEXT          a form of a command
#     unseen LINE TEXT            code that looks like a command and is none by these rules
#     bad LINE TEXT               a fence that nothing ends, a command that goes on in no line

function looks_like_command(text) {
	sub(/^[ \t]+/, "", text)
	return text ~ /^(\$|>) / ||
		text ~ /^(build\/|\.\/build\/)?warpline( |$)/ ||
		text ~ /^(\.\/)?(build|build-[a-z]+|scripts|bench|tests)\/[A-Za-z0-9_\/.-]+( |$)/ ||
		text ~ /^\.\/[A-Za-z]/ ||
		text ~ /^([A-Z_]+=[^ ]* )*(cmake|ctest|ninja|make|cpack|cc|gcc|clang|git|nvcc|ptxas|dpkg|apt|apt-get|sudo|eval|export|mpirun|pkg-config|gnuplot|python3|sh|man|source|mkdir|cd|ls|cat) +[^ =]/
}

function end_command() {
	if (!shown)
		return
	close(out "/" count ".want")
	shown = 0
}

function begin_command(text) {
	end_command()
	blanks = 0
	count++
	begun = FNR
	goes_on = 0
	take_command(text)
}

function take_command(text) {
	goes_on = text ~ /\\$/
	print text > (out "/" count ".cmd")
	if (!goes_on) {
		close(out "/" count ".cmd")
		print "command", count, region, begun
	}
}

function take_output(text) {
	if (text ~ /^[ \t]*$/) {
		blanks++
		return
	}
	for (; blanks > 0 && shown; blanks--)
		print "" > (out "/" count ".want")
	blanks = 0
	shown = 1
	print text > (out "/" count ".want")
}

function take_code(text) {
	if (goes_on)
		take_command(text)
	else if (kind == "synopsis")
		print "synopsis", FNR, text
	else if (kind == "sh" && text !~ /^[ \t]*(#|$)/)
		begin_command(text)
	else if (kind == "console" && text ~ /^\$ /)
		begin_command(substr(text, 3))
	else if (kind == "console" && in_session())
		take_output(text)
	else if (kind != "sh" && looks_like_command(text))
		print "unseen", FNR, text
}

# Whether a command of this region stands above: what is below it is its output.
function in_session() { return region_first <= count }

function begin_region(name) {
	kind = name
	region = FNR
	region_first = count + 1
}

function end_region() {
	if (goes_on)
		print "bad", FNR, "a command that ends with \\ goes on in no line"
	goes_on = 0
	end_command()
	kind = ""
	blanks = 0
}

function without_indent(text, width,    n) {
	for (n = 0; n < width && substr(text, 1, 1) == " "; n++)
		text = substr(text, 2)
	return text
}

BEGIN { was_blank = 1 }

# In a fence.
fence != "" {
	text = without_indent($0, fence_indent)
	if (text ~ ("^" fence "+[ \t]*$")) {
		end_region()
		fence = ""
		was_blank = 1
	} else {
		take_code(text)
	}
	next
}

# A fence begins.
/^ *(```|~~~)/ {
	if (kind != "")
		end_region()
	text = $0
	sub(/^ */, "", text)
	fence_indent = length($0) - length(text)
	fence = substr(text, 1, 3)
	fence_line = FNR
	sub(/^[`~]+ */, "", text)
	begin_region(text ~ /^(console|sh|synopsis)$/ ? text : "text")
	next
}

# Indented code: behind an empty line, four columns more than the list that it may be in.
/^[ \t]*$/ {
	if (kind != "")
		take_code("")
	was_blank = 1
	next
}

{
	width = 4 + list_indent
	indented = match($0, /^ */) && RLENGTH >= width || /^\t/
	if (indented && (kind != "" || was_blank)) {
		if (kind == "")
			begin_region("console")
		take_code(/^\t/ ? substr($0, 2) : substr($0, width + 1))
	} else {
		if (kind != "")
			end_region()
		if (match($0, /^ *([-*+]|[0-9]+[.)]) +/))
			list_indent = RLENGTH
		else if ($0 !~ /^ /)
			list_indent = 0
	}
	was_blank = 0
}

END {
	if (fence != "")
		print "bad", fence_line, "the fence that begins here has no end"
	if (kind != "")
		end_region()
}
