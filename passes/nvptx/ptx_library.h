/*
 * ptx_library - what CUDA's device code calls by the names of libdevice, for the PTX door:
 * functions of ours that are an instruction or a few (ptx_functions.c), then those of a libdevice
 * file.
 */
#ifndef PTX_LIBRARY_H
#define PTX_LIBRARY_H

struct err;
struct program;

/*
 * Link what the program declares and a library has, private to it and to be inlined; nothing where
 * the door is another. Names that the PTX reader uses for instructions of limited precision
 * (sin.approx as __nv_sinf) are that instruction only in a program that was read from PTX. Returns
 * 0; ERR_UNSUPPORTED when a function has other types; ERR_IO, ERR_FORMAT for --libdevice.
 */
int ptx_library_link(struct program *p, struct err *err);

#endif
