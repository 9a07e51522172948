# bash completion for warpline. Made by 'warpline help --completion bash'.

_warpline_words() { mapfile -t COMPREPLY < <(compgen -W "$*" -- "$cur"); }
_warpline_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); }
_warpline_dirs() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); }
_warpline_programs() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -c -- "$cur"; compgen -f -- "$cur"); }
_warpline_gpus() { mapfile -t COMPREPLY < <(compgen -W "$(warpline gpus --colour never 2>/dev/null | tail -n +2 | cut -d ' ' -f 1)" -- "$cur"; compgen -f -- "$cur"); }
# Values with commas: what is before the last one stays.
_warpline_list() {
	local before=
	case $cur in *,*) before=${cur%,*},; cur=${cur##*,} ;; esac
	compopt -o nospace 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$*" -- "$cur")
}

_warpline() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command= i
	COMPREPLY=()
	# --option=value is three words
	if [ "$cur" = = ]; then cur=
	elif [ "$prev" = = ]; then prev=${COMP_WORDS[COMP_CWORD - 2]}; fi
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in -*) ;; *) command=${COMP_WORDS[i]}; break ;; esac
	done
	local commands='record env info report replay sweep curve bypass occupancy plot reorder dump import export verify merge rm gpus help'
	if [ -z "$command" ]; then
		_warpline_words "$commands" --help --version
		return
	fi
	case "$command $prev" in
	'record --output' | 'record -o') _warpline_dirs; return ;;
	'record --kernel') :; return ;;
	'record --launches') :; return ;;
	'record --groups') :; return ;;
	'record --skip') :; return ;;
	'record --per-kernel') :; return ;;
	'record --max-launches') :; return ;;
	'record --max-bytes') :; return ;;
	'record --duration') :; return ;;
	'record --records') _warpline_words affine raw count none; return ;;
	'record --door') _warpline_words auto text spir; return ;;
	'record --spaces') _warpline_list constant local; return ;;
	'record --opt') _warpline_words 0 2; return ;;
	'record --device-buffer') :; return ;;
	'record --bypass') _warpline_files; return ;;
	'record --apply') _warpline_files; return ;;
	'record --colour') _warpline_words auto always never; return ;;
	'env --output' | 'env -o') _warpline_dirs; return ;;
	'env --kernel') :; return ;;
	'env --launches') :; return ;;
	'env --groups') :; return ;;
	'env --skip') :; return ;;
	'env --per-kernel') :; return ;;
	'env --max-launches') :; return ;;
	'env --max-bytes') :; return ;;
	'env --duration') :; return ;;
	'env --records') _warpline_words affine raw count none; return ;;
	'env --door') _warpline_words auto text spir; return ;;
	'env --spaces') _warpline_list constant local; return ;;
	'env --opt') _warpline_words 0 2; return ;;
	'env --device-buffer') :; return ;;
	'env --bypass') _warpline_files; return ;;
	'env --apply') _warpline_files; return ;;
	'env --colour') _warpline_words auto always never; return ;;
	'info --colour') _warpline_words auto always never; return ;;
	'report --top') :; return ;;
	'report --html') _warpline_files; return ;;
	'report --fail-on') :; return ;;
	'report --gpu') _warpline_gpus; return ;;
	'report --l1') :; return ;;
	'report --set') :; return ;;
	'report --l1-sets') :; return ;;
	'report --l1-ways') :; return ;;
	'report --line') :; return ;;
	'report --index') _warpline_words modulo fermi xor bits:; return ;;
	'report --l1-policy') _warpline_words lru fifo plru random lfu mru srrip ways; return ;;
	'report --l1-write') _warpline_words through_evict through_update through_allocate back_allocate; return ;;
	'report --l1-sectors') :; return ;;
	'report --mshr') :; return ;;
	'report --l2') _warpline_words on off; return ;;
	'report --latency') _warpline_words on off; return ;;
	'report --bandwidth') _warpline_words on off; return ;;
	'report --launch') :; return ;;
	'report --schedule') _warpline_words lrr prr gto twolevel fifo lwf reorder sequential random roundrobin; return ;;
	'report --reorder') _warpline_files; return ;;
	'report --dispatch') _warpline_words roundrobin random breadth; return ;;
	'report --sms') :; return ;;
	'report --read-only') :; return ;;
	'report --bypass') _warpline_files; return ;;
	'report --jobs') :; return ;;
	'report --registers') :; return ;;
	'report --ptxas') _warpline_files; return ;;
	'report --colour') _warpline_words auto always never; return ;;
	'replay --gpu') _warpline_gpus; return ;;
	'replay --l1') :; return ;;
	'replay --set') :; return ;;
	'replay --l1-sets') :; return ;;
	'replay --l1-ways') :; return ;;
	'replay --line') :; return ;;
	'replay --index') _warpline_words modulo fermi xor bits:; return ;;
	'replay --l1-policy') _warpline_words lru fifo plru random lfu mru srrip ways; return ;;
	'replay --l1-write') _warpline_words through_evict through_update through_allocate back_allocate; return ;;
	'replay --l1-sectors') :; return ;;
	'replay --mshr') :; return ;;
	'replay --l2') _warpline_words on off; return ;;
	'replay --latency') _warpline_words on off; return ;;
	'replay --bandwidth') _warpline_words on off; return ;;
	'replay --launch') :; return ;;
	'replay --schedule') _warpline_words lrr prr gto twolevel fifo lwf reorder sequential random roundrobin; return ;;
	'replay --reorder') _warpline_files; return ;;
	'replay --dispatch') _warpline_words roundrobin random breadth; return ;;
	'replay --sms') :; return ;;
	'replay --read-only') :; return ;;
	'replay --bypass') _warpline_files; return ;;
	'replay --jobs') :; return ;;
	'replay --registers') :; return ;;
	'replay --ptxas') _warpline_files; return ;;
	'replay --classes') _warpline_words on off; return ;;
	'replay --stats') _warpline_list all lines buffers arguments sets groups windows reuse distances; return ;;
	'replay --top') :; return ;;
	'replay --window') :; return ;;
	'replay --json') _warpline_files; return ;;
	'replay --colour') _warpline_words auto always never; return ;;
	'sweep --l1-sets') :; return ;;
	'sweep --l1-ways') :; return ;;
	'sweep --line') :; return ;;
	'sweep --index') _warpline_list modulo fermi xor bits:; return ;;
	'sweep --l1-policy') _warpline_list lru fifo plru random lfu mru srrip ways; return ;;
	'sweep --latency') _warpline_words on off; return ;;
	'sweep --gpu') _warpline_gpus; return ;;
	'sweep --l1') :; return ;;
	'sweep --set') :; return ;;
	'sweep --schedule') _warpline_words lrr prr gto twolevel fifo lwf reorder sequential random roundrobin; return ;;
	'sweep --launch') :; return ;;
	'sweep --registers') :; return ;;
	'sweep --ptxas') _warpline_files; return ;;
	'sweep --jobs' | 'sweep -j') :; return ;;
	'sweep --out') _warpline_files; return ;;
	'sweep --colour') _warpline_words auto always never; return ;;
	'curve --output' | 'curve -o') _warpline_files; return ;;
	'curve --format') _warpline_words by-name png svg pdf gp csv; return ;;
	'curve --launch') :; return ;;
	'curve --gpu') _warpline_gpus; return ;;
	'curve --l1') :; return ;;
	'curve --set') :; return ;;
	'curve --l1-sets') :; return ;;
	'curve --l1-ways') :; return ;;
	'curve --line') :; return ;;
	'curve --index') _warpline_words modulo fermi xor bits:; return ;;
	'curve --l1-policy') _warpline_words lru fifo plru random lfu mru srrip ways; return ;;
	'curve --l1-write') _warpline_words through_evict through_update through_allocate back_allocate; return ;;
	'curve --l1-sectors') :; return ;;
	'curve --mshr') :; return ;;
	'curve --l2') _warpline_words on off; return ;;
	'curve --latency') _warpline_words on off; return ;;
	'curve --bandwidth') _warpline_words on off; return ;;
	'curve --schedule') _warpline_words lrr prr gto twolevel fifo lwf reorder sequential random roundrobin; return ;;
	'curve --dispatch') _warpline_words roundrobin random breadth; return ;;
	'curve --jobs') :; return ;;
	'curve --registers') :; return ;;
	'curve --ptxas') _warpline_files; return ;;
	'curve --colour') _warpline_words auto always never; return ;;
	'bypass --by') _warpline_list address site buffer warp hybrid; return ;;
	'bypass --objective') _warpline_words balanced cycles bytes misses; return ;;
	'bypass --list') _warpline_files; return ;;
	'bypass --out' | 'bypass -o') _warpline_files; return ;;
	'bypass --gpu') _warpline_gpus; return ;;
	'bypass --l1') :; return ;;
	'bypass --set') :; return ;;
	'bypass --l1-sets') :; return ;;
	'bypass --l1-ways') :; return ;;
	'bypass --line') :; return ;;
	'bypass --index') _warpline_words modulo fermi xor bits:; return ;;
	'bypass --l1-policy') _warpline_words lru fifo plru random lfu mru srrip ways; return ;;
	'bypass --l1-write') _warpline_words through_evict through_update through_allocate back_allocate; return ;;
	'bypass --l1-sectors') :; return ;;
	'bypass --mshr') :; return ;;
	'bypass --l2') _warpline_words on off; return ;;
	'bypass --latency') _warpline_words on off; return ;;
	'bypass --bandwidth') _warpline_words on off; return ;;
	'bypass --launch') :; return ;;
	'bypass --schedule') _warpline_words lrr prr gto twolevel fifo lwf reorder sequential random roundrobin; return ;;
	'bypass --dispatch') _warpline_words roundrobin random breadth; return ;;
	'bypass --sms') :; return ;;
	'bypass --jobs') :; return ;;
	'bypass --registers') :; return ;;
	'bypass --ptxas') _warpline_files; return ;;
	'bypass --top') :; return ;;
	'bypass --limit') :; return ;;
	'bypass --json') _warpline_files; return ;;
	'bypass --csv') _warpline_files; return ;;
	'bypass --ptx') _warpline_files; return ;;
	'bypass --cache-op') _warpline_words cg cs; return ;;
	'bypass --colour') _warpline_words auto always never; return ;;
	'occupancy --gpu') _warpline_gpus; return ;;
	'occupancy --l1') :; return ;;
	'occupancy --set') :; return ;;
	'occupancy --group-size') :; return ;;
	'occupancy --local-bytes') :; return ;;
	'occupancy --registers') :; return ;;
	'occupancy --ptxas') _warpline_files; return ;;
	'occupancy --json') _warpline_files; return ;;
	'occupancy --colour') _warpline_words auto always never; return ;;
	'plot --what') _warpline_words order curve reuse sets warps all; return ;;
	'plot --output' | 'plot -o') _warpline_files; return ;;
	'plot --format') _warpline_words by-name png svg pdf gp csv; return ;;
	'plot --gpu') _warpline_gpus; return ;;
	'plot --l1') :; return ;;
	'plot --set') :; return ;;
	'plot --l1-sets') :; return ;;
	'plot --l1-ways') :; return ;;
	'plot --line') :; return ;;
	'plot --index') _warpline_words modulo fermi xor bits:; return ;;
	'plot --l1-policy') _warpline_words lru fifo plru random lfu mru srrip ways; return ;;
	'plot --l1-write') _warpline_words through_evict through_update through_allocate back_allocate; return ;;
	'plot --l1-sectors') :; return ;;
	'plot --mshr') :; return ;;
	'plot --l2') _warpline_words on off; return ;;
	'plot --latency') _warpline_words on off; return ;;
	'plot --bandwidth') _warpline_words on off; return ;;
	'plot --launch') :; return ;;
	'plot --schedule') _warpline_words lrr prr gto twolevel fifo lwf reorder sequential random roundrobin; return ;;
	'plot --reorder') _warpline_files; return ;;
	'plot --dispatch') _warpline_words roundrobin random breadth; return ;;
	'plot --sms') :; return ;;
	'plot --read-only') :; return ;;
	'plot --bypass') _warpline_files; return ;;
	'plot --jobs') :; return ;;
	'plot --registers') :; return ;;
	'plot --ptxas') _warpline_files; return ;;
	'plot --buffer') :; return ;;
	'plot --group') :; return ;;
	'plot --sm') :; return ;;
	'plot --from') :; return ;;
	'plot --to') :; return ;;
	'plot --colour') _warpline_words item group warp sm site count; return ;;
	'plot --by') _warpline_words time kernel; return ;;
	'plot --window') :; return ;;
	'reorder --output' | 'reorder -o') _warpline_files; return ;;
	'reorder --launch') :; return ;;
	'reorder --gpu') _warpline_gpus; return ;;
	'reorder --l1') :; return ;;
	'reorder --set') :; return ;;
	'reorder --colour') _warpline_words auto always never; return ;;
	'dump --launch') :; return ;;
	'dump --group') :; return ;;
	'dump --format') _warpline_words text json csv ancestor; return ;;
	'dump --colour') _warpline_words auto always never; return ;;
	'import --format') _warpline_words ancestor din u64 traceg nvbit; return ;;
	'import --output' | 'import -o') _warpline_dirs; return ;;
	'import --max-accesses') :; return ;;
	'import --colour') _warpline_words auto always never; return ;;
	'export --format') _warpline_words din u64 ancestor; return ;;
	'export --order') _warpline_words recorded accesses requests; return ;;
	'export --sm') :; return ;;
	'export --output' | 'export -o') _warpline_files; return ;;
	'export --gpu') _warpline_gpus; return ;;
	'export --l1') :; return ;;
	'export --set') :; return ;;
	'export --l1-sets') :; return ;;
	'export --l1-ways') :; return ;;
	'export --line') :; return ;;
	'export --index') _warpline_words modulo fermi xor bits:; return ;;
	'export --l1-policy') _warpline_words lru fifo plru random lfu mru srrip ways; return ;;
	'export --l1-write') _warpline_words through_evict through_update through_allocate back_allocate; return ;;
	'export --l1-sectors') :; return ;;
	'export --mshr') :; return ;;
	'export --l2') _warpline_words on off; return ;;
	'export --latency') _warpline_words on off; return ;;
	'export --bandwidth') _warpline_words on off; return ;;
	'export --launch') :; return ;;
	'export --schedule') _warpline_words lrr prr gto twolevel fifo lwf reorder sequential random roundrobin; return ;;
	'export --reorder') _warpline_files; return ;;
	'export --dispatch') _warpline_words roundrobin random breadth; return ;;
	'export --sms') :; return ;;
	'export --read-only') :; return ;;
	'export --bypass') _warpline_files; return ;;
	'export --jobs') :; return ;;
	'export --registers') :; return ;;
	'export --ptxas') _warpline_files; return ;;
	'export --colour') _warpline_words auto always never; return ;;
	'verify --colour') _warpline_words auto always never; return ;;
	'merge --output' | 'merge -o') :; return ;;
	'merge --colour') _warpline_words auto always never; return ;;
	'rm --launches') :; return ;;
	'rm --kernel') :; return ;;
	'rm --output' | 'rm -o') :; return ;;
	'rm --colour') _warpline_words auto always never; return ;;
	'gpus --l1') :; return ;;
	'gpus --colour') _warpline_words auto always never; return ;;
	'help --completion') _warpline_words bash zsh fish; return ;;
	'help --colour') _warpline_words auto always never; return ;;
	esac
	case "$command $cur" in
	'record -'*) _warpline_words --output --count --kernel --launches --groups --skip --per-kernel --max-launches --max-bytes --duration --records --door --spaces --opt --device-buffer --bypass --apply --any-device --quiet --verbose --colour --no-pager --help ;;
	'record '*) _warpline_programs ;;
	'env -'*) _warpline_words --output --count --kernel --launches --groups --skip --per-kernel --max-launches --max-bytes --duration --records --door --spaces --opt --device-buffer --bypass --apply --any-device --quiet --colour --no-pager --help ;;
	'env '*) : ;;
	'info -'*) _warpline_words --json --quiet --colour --no-pager --help ;;
	'info '*) _warpline_dirs ;;
	'report -'*) _warpline_words --top --html --fail-on --gpu --l1 --set --l1-sets --l1-ways --line --index --l1-policy --l1-write --l1-sectors --mshr --l2 --latency --bandwidth --launch --schedule --reorder --dispatch --sms --read-only --bypass --jobs --registers --ptxas --quiet --colour --no-pager --help ;;
	'report '*) _warpline_dirs ;;
	'replay -'*) _warpline_words --gpu --l1 --set --l1-sets --l1-ways --line --index --l1-policy --l1-write --l1-sectors --mshr --l2 --latency --bandwidth --launch --schedule --reorder --dispatch --sms --read-only --bypass --jobs --registers --ptxas --classes --stats --top --window --json --quiet --colour --no-pager --help ;;
	'replay '*) _warpline_dirs ;;
	'sweep -'*) _warpline_words --l1-sets --l1-ways --line --index --l1-policy --latency --gpu --l1 --set --schedule --launch --registers --ptxas --jobs --out --quiet --colour --no-pager --help ;;
	'sweep '*) _warpline_dirs ;;
	'curve -'*) _warpline_words --output --format --launch --gpu --l1 --set --l1-sets --l1-ways --line --index --l1-policy --l1-write --l1-sectors --mshr --l2 --latency --bandwidth --schedule --dispatch --jobs --registers --ptxas --quiet --colour --no-pager --help ;;
	'curve '*) _warpline_dirs ;;
	'bypass -'*) _warpline_words --by --objective --list --out --gpu --l1 --set --l1-sets --l1-ways --line --index --l1-policy --l1-write --l1-sectors --mshr --l2 --latency --bandwidth --launch --schedule --dispatch --sms --jobs --registers --ptxas --top --limit --carveout --json --csv --ptx --cache-op --source --quiet --colour --no-pager --help ;;
	'bypass '*) _warpline_dirs ;;
	'occupancy -'*) _warpline_words --gpu --l1 --set --group-size --local-bytes --registers --ptxas --json --quiet --colour --no-pager --help ;;
	'occupancy '*) _warpline_dirs ;;
	'plot -'*) _warpline_words --what --output --format --gpu --l1 --set --l1-sets --l1-ways --line --index --l1-policy --l1-write --l1-sectors --mshr --l2 --latency --bandwidth --launch --schedule --reorder --dispatch --sms --read-only --bypass --jobs --registers --ptxas --buffer --group --sm --from --to --colour --by --window --quiet --no-pager --help ;;
	'plot '*) _warpline_dirs ;;
	'reorder -'*) _warpline_words --output --launch --gpu --l1 --set --quiet --colour --no-pager --help ;;
	'reorder '*) _warpline_dirs ;;
	'dump -'*) _warpline_words --launch --group --format --quiet --colour --no-pager --help ;;
	'dump '*) _warpline_dirs ;;
	'import -'*) _warpline_words --format --output --max-accesses --quiet --colour --no-pager --help ;;
	'import '*) _warpline_files ;;
	'export -'*) _warpline_words --format --order --sm --output --gpu --l1 --set --l1-sets --l1-ways --line --index --l1-policy --l1-write --l1-sectors --mshr --l2 --latency --bandwidth --launch --schedule --reorder --dispatch --sms --read-only --bypass --jobs --registers --ptxas --quiet --colour --no-pager --help ;;
	'export '*) _warpline_dirs ;;
	'verify -'*) _warpline_words --json --quiet --colour --no-pager --help ;;
	'verify '*) _warpline_dirs ;;
	'merge -'*) _warpline_words --output --quiet --colour --no-pager --help ;;
	'merge '*) _warpline_dirs ;;
	'rm -'*) _warpline_words --launches --kernel --keep --output --quiet --colour --no-pager --help ;;
	'rm '*) _warpline_dirs ;;
	'gpus -'*) _warpline_words --l1 --markdown --quiet --colour --no-pager --help ;;
	'gpus '*) _warpline_gpus ;;
	'help -'*) _warpline_words --man --completion --quiet --colour --no-pager --help ;;
	'help '*) _warpline_words $commands ;;
	esac
}
complete -F _warpline warpline
