# shellcheck shell=sh
# device_ir CASE FILE: the device code of CASE (.cu or .ll) as LLVM IR, before any pass.
device_ir()
{
    case $1 in
    *.ll) cp "$1" "$2" ;;
    *)
        (cd "$(dirname "$1")" && clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_75 \
            -nocudainc -nocudalib -Wno-unknown-cuda-version -O1 -Xclang -disable-llvm-passes \
            -Xclang -target-feature -Xclang +ptx70 -g -fno-discard-value-names -S -emit-llvm \
            "$(basename "$1")" -o "$2")
        ;;
    esac
}
