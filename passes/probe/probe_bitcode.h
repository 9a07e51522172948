/*
 * probe_bitcode - probe.cl as LLVM 14 bitcode, put in when this program is built (embed.cmake):
 * probe_bitcode_<target>_<lanes>.
 */
#ifndef PROBE_BITCODE_H
#define PROBE_BITCODE_H

#include <stddef.h>

extern const unsigned char probe_bitcode_spir_1[], probe_bitcode_spir_32[];
extern const unsigned char probe_bitcode_spir64_1[], probe_bitcode_spir64_32[];
extern const unsigned char probe_bitcode_nvptx64_1[], probe_bitcode_nvptx64_32[];
extern const size_t probe_bitcode_spir_1_bytes, probe_bitcode_spir_32_bytes;
extern const size_t probe_bitcode_spir64_1_bytes, probe_bitcode_spir64_32_bytes;
extern const size_t probe_bitcode_nvptx64_1_bytes, probe_bitcode_nvptx64_32_bytes;

#endif
