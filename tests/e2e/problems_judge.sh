#!/bin/sh
# The judge of bench/problems: what each of its criteria asks, on reports written by hand.
. "$SOURCE_DIR/tests/e2e/lib.sh"
judge=$BUILD_DIR/tests/problems_judge

# finding RULE SEVERITY LINE SHARE WHOLE ADVICE
finding() {
	printf '{"rule": "%s", "severity": "%s", "line": %s, "cost_share": %s, "cost_of": "%s", "advice": "%s"}' "$@"
}

# report FILE TURNS LOCAL_TURNS [FINDINGS]
report() {
	printf '{"turns": %s, "local_turns": %s, "findings": [%s]}\n' "$2" "$3" "${4:-}" >"$1"
}

# headline SENTENCE
headline() {
	printf '{"sentence": "%s"}\n' "$1" >diff.json
}

# judged WHAT CRITERION WANT
judged() {
	expect "$1, criterion $2" "$(grep "^$2 " verdicts)" "$2 $3"
}

judge_pair() {
	"$judge" uncoalesced,scattered 7 'sort|group,index' pad yes fault.json cure.json diff.json >verdicts
}

sorted=$(finding uncoalesced severe 7 0.6 global_memory 'Sort the work by its INDEX')
report fault.json 1000 50 "$sorted"
report cure.json 500 90 "$(finding misaligned minor 9 0.04 global_memory '')"
headline 'B makes 84.0% fewer requests.'
judge_pair
for criterion in 1 2 3 4 5; do
	judged "what is right" $criterion yes
done

# The saving is 50 % of global memory. A factor of 1.5: 33.4 % to 74.9 % are right. Of both memories
# 100 of 2,000 turns are saved: 5 %.
for share in 0.33 0.76; do
	report fault.json 1000 50 "$(finding uncoalesced severe 7 $share global_memory 'sort the index')"
	judge_pair
	judged "a share of $share" 4 "no ${share#0.}% promised, 50% saved"
done
for share in 0.34 0.74; do
	report fault.json 1000 50 "$(finding uncoalesced severe 7 $share global_memory 'sort the index')"
	judge_pair
	judged "a share of $share" 4 yes
done
report fault.json 1000 1000 "$(finding uncoalesced severe 7 0.05 memory 'sort the index')"
report cure.json 1000 900
judge_pair
judged "a share of both memories" 4 yes

# The first finding alone counts, with its line, and its advice has the words, not the others.
for wrong in 'scattered 8 sort_the_index' 'hot-line 7 sort_the_index' 'scattered 7 sort' 'scattered 7 index' \
	'scattered 7 sort_the_index_and_pad'; do
	# shellcheck disable=SC2086 # three words
	set -- $wrong
	report fault.json 1000 50 "$(finding "$1" severe "$2" 0.5 global_memory "$(echo "$3" | tr _ ' ')"), $sorted"
	judge_pair
	grep -q '^1 no ' verdicts || fail "'$wrong' passes criterion 1"
done
report fault.json 1000 1000
judge_pair
judged "a report without findings" 1 'no nothing is found'
judged "a report without findings" 4 'no 0% promised, 5% saved'

# Notable is a false alarm.
report cure.json 1000 900 "$(finding misaligned minor 3 0.1 memory ''), $(finding divergent notable 5 0.1 memory '')"
judge_pair
judged "a notable finding of the cure" 2 'no false alarm: notable, divergent, line 5'

# Costs of one whole add up, those of others do not.
report cure.json 1000 900 "$(finding a minor 3 0.7 memory ''), $(finding b minor 5 0.7 global_memory '')"
judge_pair
judged "two wholes" 5 yes
report cure.json 1000 900 "$(finding a minor 3 0.7 memory ''), $(finding b minor 5 0.7 memory '')"
judge_pair
judged "one whole" 5 'no cure: costs add up to 140%'

for headline in 'B makes 43.8% fewer requests (9 -> 5) and takes 14.4% more cycles (5 -> 6).' \
	'B makes 87.3% fewer requests, has 35,207 bank conflicts where A has none.'; do
	headline "$headline"
	judge_pair
	judged "$headline" 3 "no diff's headline contradicts itself"
done
headline 'B has no bank conflicts where A has 253,952.'
judge_pair
judged "no bank conflicts" 3 yes
headline 'A and B are the same: no number differs.'
judge_pair
judged "the same" 3 "no diff's headline sees nothing better"
headline 'B makes 2.1 times as many requests.'
judge_pair
judged "more" 3 "no diff's headline says worse"

# Of a kernel with which nothing is wrong: what is minor is right, but for rules that are named.
report cure.json 1000 900 "$(finding hot-line minor 3 0.1 memory '')"
"$judge" - cure.json >verdicts
judged "a minor finding" 2 yes
"$judge" false-reuse,hot-line cure.json >verdicts
judged "a rule that may find nothing" 2 'no false alarm: minor, hot-line, line 3'
passed
