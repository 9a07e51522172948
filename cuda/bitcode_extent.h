/*
 * bitcode_extent - where LLVM bitcode ends that lies in memory without a length.
 *
 * Bitcode is `BC` 0xC0DE and then units of a known number and size, each on a multiple of 4 bytes
 * (LLVM's bitstream format: ENTER_SUBBLOCK); with the wrapper 0x0B17C0DE it says its size itself.
 * What a unit contains is not looked at.
 */
#ifndef BITCODE_EXTENT_H
#define BITCODE_EXTENT_H

#include <stddef.h>

/* Bytes of the bitcode at `data`, of which `limit` may be read; 0 when there is none. */
size_t bitcode_extent(const void *data, size_t limit);

#endif
