#!/bin/bash
# complete.sh SHELL WARPLINE: what a shell offers for a command line, by the completion that the
# program makes. Each row of complete.table is a line up to the cursor, and words that must be offered
# (or not, with a ! in front).
set -u
shell=$1 warpline=$(realpath "$2") here=$(realpath "$(dirname "$0")")
command -v "$shell" >/dev/null || { echo "$shell is not installed"; exit 77; }
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin" "$tmp/work" "$tmp/home"
cp "$warpline" "$tmp/bin/warpline"
ln -s "$(dirname "$warpline")/gpus" "$tmp/bin/gpus"
export PATH=$tmp/bin:$PATH HOME=$tmp/home XDG_CONFIG_HOME=$tmp/home XDG_DATA_HOME=$tmp/home TERM=dumb
cd "$tmp/work" || exit 1
mkdir some.data
: >some.txt
: >'with blank.txt'
"$warpline" help --completion "$shell" >"$tmp/completion"

offers_bash() {
	bash --norc -c '
		source "$1"
		line=$2
		# as readline splits: at blanks, and around =
		read -ra COMP_WORDS <<<"${line//=/ = }"
		case $line in *" ") COMP_WORDS+=("") ;; esac
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=${#line}
		_warpline
		printf "%s\n" "${COMPREPLY[@]}"' - "$tmp/completion" "$1"
}

offers_fish() {
	fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$tmp/completion" "$1" | cut -f 1 |
		sed 's/^--[a-z-]*=//; s/\\\(.\)/\1/g'
}

# zsh completes in its line editor only: in a terminal of its own, whose list is printed.
offers_zsh() {
	mkdir -p "$tmp/functions"
	cp "$tmp/completion" "$tmp/functions/_warpline"
	zsh -f -c '
		zmodload zsh/zpty
		zpty shell zsh -f -i
		zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -U compinit; compinit -u -d $HOME/dump"
		zpty -w shell "cd $PWD; bindkey \"^I\" complete-word; stty rows 400 cols 300"
		zpty -w shell "compprefuncs=(); comppostfuncs=(); zstyle \":completion:*\" verbose no"
		zpty -w shell "compadd() {
			local -a words hits; local at
			if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd \"\$@\"; return; fi
			builtin compadd -A hits \"\$@\"
			for at in \$hits; do print -r -- \"<\$at>\" >>$HOME/hits; done
			builtin compadd \"\$@\"
		}"
		zpty -w shell "print ready >$HOME/ready"
		repeat 200 { [[ -e $HOME/ready ]] && break; sleep 0.05 }
		zpty -w -n shell "$2"$'"'\t'"'
		sleep 0.1
		zpty -w shell $'"'\025'"'
		zpty -w shell "print done >$HOME/done"
		repeat 200 { [[ -e $HOME/done ]] && break; sleep 0.05 }
		zpty -d shell' - "$tmp/functions" "$1" >/dev/null 2>&1
	sed -n 's/\\//g; s/^<\(.*\)>$/\1/p' "$HOME/hits" 2>/dev/null
	rm -f "$HOME"/{hits,ready,done}
}

failed=0 count=0
while IFS='|' read -r line wanted; do
	case $line in '#'* | '') continue ;; esac
	line=${line%>}
	"offers_$shell" "$line" >"$tmp/offered"
	for word in ${wanted}; do
		word=${word//\~/ }
		case $word in
		!*) ! grep -qxF -e "${word#!}" "$tmp/offered" ;;
		*) grep -qxE -e "$(printf %s "$word" | sed 's/[].*^$+?(){}[]/\\&/g')[ =/]?" "$tmp/offered" ;;
		esac || {
			echo "FAIL $shell: '$line': $word; offered: $(head -n 20 "$tmp/offered" | tr '\n' ' ')"
			failed=1
		}
	done
	count=$((count + 1))
done <"$here/complete.table"
echo "$shell: $count lines"
[ "$count" -gt 10 ] && exit $failed
