#!/bin/sh
# no_opencl.sh: for a program in which no call was seen, `record` names what is peculiar about it.
. "$SOURCE_DIR/tests/e2e/lib.sh"
use_device pocl

# build NAME SOURCE OPTION...: a program, or with -shared a library.
build() {
	out=$1 source=$2
	shift 2
	mkdir -p "$(dirname "$out")"
	echo "$source" >source.c
	"$CC" source.c -o "$out" "$@" 2>cc.err || fail "$out: $(cat cc.err)"
}
main='int main(void) { return 0; }'
names='#include <stdlib.h>
int take(void) { return getenv("libOpenCL.so.1") != 0; }'
# shellcheck disable=SC2016 # $ORIGIN is the loader'"'"'s
origin='-Wl,-rpath,$ORIGIN/own'
build plain "$main"
build dlopens "$names $main"
build own/libplugin.so "$names" -shared -fPIC
build loads_plugin 'int take(void); int main(void) { return take(); }' "$PWD/own/libplugin.so" "$origin"
build own/libOpenCL.so.1 'int clNothing(void) { return 0; }' -shared -fPIC -Wl,-soname,libOpenCL.so.1
build bundles 'int clNothing(void); int main(void) { return clNothing(); }' own/libOpenCL.so.1 "$origin"
build linked "$main" -Wl,--no-as-needed -lOpenCL

# says REGEX COMMAND...
says() {
	want=$1
	shift
	"$warpline" record -o rec "$@" >out 2>err || true
	grep -q 'no OpenCL call was seen' err || fail "$*: $(cat err)"
	grep -q -e "$want" err || fail "$* does not say '$want': $(cat err)"
	[ ! -e rec ] || fail "$* has a recording"
}

says 'plain is not linked with libOpenCL, nor is any library that it needs' "./plain"
echo "$main" >source.c
if "$CC" -static source.c -o static 2>/dev/null; then
	says 'static is statically linked' ./static
fi
says 'dlopens may load libOpenCL by dlopen(): its name is in .*/dlopens' "./dlopens"
says "loads_plugin may load libOpenCL by dlopen(): its name is in .*/libplugin.so" "./loads_plugin"
says 'bundles brings a libOpenCL of its own, .*/own/libOpenCL.so.1' "./bundles"
says 'linked is linked with libOpenCL: it may have ended before' "./linked"

cp "./plain" set_uid
if chown 1 set_uid 2>/dev/null && chmod u+s set_uid; then
	says 'set_uid is set-uid' ./set_uid
fi
head -c 20 "./plain" >short
chmod +x short
"$warpline" record -o rec ./short >out 2>err || true
[ ! -e rec ] || fail "there is a recording of half a program"

cat >script <<'END'
#!/bin/sh
# sudo in a comment
echo sudo is no command here; sudoku=1
if true; then env   -i true; fi
	LD_PRELOAD= true
true || sudo -n true
END
chmod +x script
for way in ./script "sh script"; do
	# shellcheck disable=SC2086 # a command
	says "script:4: 'env -i' starts programs with an empty environment" $way
	grep -q "script:5: 'LD_PRELOAD=' may replace" err || fail "$way: $(cat err)"
	grep -q "script:6: 'sudo' starts programs with" err || fail "$way: $(cat err)"
	grep -q "script:[23]:" err && fail "$way: $(cat err)"
done
printf '#!/usr/bin/env -iS sh\ntrue\n' >cleared
chmod +x cleared
says 'cleared:1: its interpreter is started with an empty environment' ./cleared
printf 'true\n' >harmless
says 'sh runs the script harmless: what that loads' sh harmless
says 'sh runs commands: what that loads' sh -c true

# A virtual environment whose package brings a libOpenCL.
mkdir -p venv/bin venv/lib/python3.9/site-packages/x.libs
cp "./plain" venv/bin/python3
touch venv/lib/python3.9/site-packages/x.libs/libOpenCL-1234.so.1.0.0
says 'a Python package brings a libOpenCL of its own, .*libOpenCL-1234' venv/bin/python3 -c 1

# A program that wants a GPU, by either call, is told how to get what there is, and can have it.
for how in list type; do
	"$warpline" record -o gpu "$BUILD_DIR/tests/asks_gpu" $how >out 2>err && fail "there is a GPU"
	grep -q 'asked for a device of type GPU, which no platform has; --any-device' err ||
		fail "$how: $(cat err)"
	"$warpline" record -o gpu --any-device "$BUILD_DIR/tests/asks_gpu" $how >out 2>err ||
		fail "$how: $(cat out err)"
	offline info --json - gpu >json || fail "$how is not whole"
	expect "launches" "$(json json launches_traced)" 1
	# By the layer alone, and by the environment.
	OPENCL_LAYERS=$BUILD_DIR/libwarpline.so WARPLINE_ANY_DEVICE=1 "$BUILD_DIR/tests/asks_gpu" $how >out ||
		fail "$how without record: $(cat out)"
done
passed
