#!/bin/sh
# reader_test.sh BUILD: documents that run_document.sh must pass, and such that it must fail, with
# what it must say. No document here needs a recording.
set -u
build=$(realpath "$1")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
mkdir -p "$work/source/scripts" "$work/folder/files" "$work/folder/home"
: >"$work/folder/whole" # as prepare.sh leaves it
failed=0 count=0

# try STATUS TEXT: the document on stdin ends with STATUS, and TEXT is said.
try() {
	cat >"$work/source/a.md"
	NOT_RUN=$work/table "$here/run_document.sh" "$build" "$work/source" "$work/folder" a.md \
		>"$work/said" 2>&1
	status=$? count=$((count + 1))
	[ "$status" = "$1" ] && grep -qF -e "$2" "$work/said" && return
	failed=1
	echo "FAIL: expected $1 and '$2', not $status and:" && cat "$work/said"
	echo "of" && cat "$work/source/a.md"
}

echo 'a.md | needs a GPU | nvcc mm.cu' >"$work/table"

try 0 'a.md: 4 commands, 1 of them not run' <<'END'
Text with `warpline bogus` in it, which check_options.sh reads.

    $ printf 'a\nb 3.25 s\nc\n'
    a
    b 4.50 s
    ...
    $ warpline gpus --bogus
    ...unknown option...
    $ echo $?
    2

```sh
nvcc mm.cu     # remark
```
END
printf '' >"$work/table"
try 0 'a.md: 5 commands, 0' <<'END'
```console
$ x=1; echo one \
  two
one two
$ echo $x
1
$ printf 'first\n\nlast\n'
first

last
```
1. A list.

   ```sh
   mkdir in-a-list
   # only a remark
   ```

       $ ls -d in-a-list
       in-a-list
END
try 1 'a.md:1: false: ' <<'END'
    $ false
    x
END
try 1 'ends with 1: false' <<'END'
    $ false
END
try 1 'ends with 1: false' <<'END'
    $ false
    $ true
END
try 1 "ends with 3: (exit 3)" <<'END'
```sh
(exit 3)
```
END
try 1 'line 1 of what is shown is not printed' <<'END'
    $ (exit 3)
    $ echo $?
    2
END
try 1 'more is printed than shown' <<'END'
    $ printf 'a\nb\n'
    a
END
try 1 'line 3 of what is shown is not printed' <<'END'
    $ printf 'a\nb\n'
    a
    b
    c
END
try 1 'line 2 of what is shown' <<'END'
    $ printf 'a\nb\nc\nb\n'
    ...
    d
    ...
END
try 1 'line 2 of what is shown' <<'END'
    $ printf 'a\nb\n'
    ...
    a
END
try 1 'line 1 of what is shown' <<'END'
    $ echo 'misses 15,509  7.89%'
    misses 15,510 ...
END
try 0 '2 commands' <<'END'
    $ printf 'a\na\nb\n'
    ...
    a
    b
    $ echo 'misses 15,509  7.89%'
    mis... 15,...%
END
for line in 'warpline replay DIR' 'build/warpline gpus' './my-program x' 'sudo apt install x' \
	'cmake --build build' 'scripts/test.sh' 'eval "$(warpline env)"' '$ ls'; do
	try 1 'looks like a command, and is none' <<END
\`\`\`text
   $line
\`\`\`
END
done
try 1 'looks like a command, and is none' <<'END'
Text.

    warpline replay DIR
END
try 1 'looks like a command, and is none' <<'END'
~~~
warpline replay DIR
~~~
END
try 1 'has no end' <<'END'
```sh
true
END
try 1 'goes on in no line' <<'END'
```sh
true \
```
END
echo 'a.md | needs a GPU | nvcc mm.cu' >"$work/table"
try 1 'not_run.table has commands that the document has not' <<'END'
Nothing.
END
echo 'a.md | is long | ./scripts/gone.sh' >"$work/table"
try 1 './scripts/gone.sh: there is no such program' <<'END'
```sh
./scripts/gone.sh
```
END
echo "$count documents"
exit $failed
