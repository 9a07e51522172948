/*
 * elf_facts - what the dynamic loader will do with an ELF file.
 *
 * Reads the file and runs nothing. For a file of another machine, only that is reported. A damaged
 * file has the facts that could be read.
 */
#ifndef ELF_FACTS_H
#define ELF_FACTS_H

#include "array.h"

#include <stdbool.h>

struct err;

struct elf_facts {
	bool is_elf;
	unsigned bits;       /* 32 or 64; 0: neither */
	bool is_foreign;     /* for another machine, or with another word size than this program */
	bool is_static;      /* a program without an interpreter to load libraries into it */
	bool names_opencl;   /* "libOpenCL" stands somewhere in the file */
	bool has_cuda_code;  /* ".nv_fatbin" stands in it: it contains code for NVIDIA's GPUs */
	struct array needed; /* of char *: names of the libraries that it is linked with */
	char *run_path;      /* its RUNPATH, else RPATH, $ORIGIN replaced; NULL: none */
};

/* Read the facts of `path`; release *f in every case. is_elf is false for other files.
 * Returns 0, ERR_IO, ERR_LIMIT (more than 256 MB), ERR_NOMEM. */
int elf_facts_read(struct elf_facts *f, const char *path, struct err *err);

/* The same for the contents of a file, read from `path`. */
int elf_facts_parse(struct elf_facts *f, const char *path, const char *bytes, size_t length,
                    struct err *err);

/* The name of the libOpenCL that it is linked with, borrowed; NULL if there is none. */
const char *elf_facts_opencl(const struct elf_facts *f);

/* Free what it owns. Accepts a zeroed struct. */
void elf_facts_release(struct elf_facts *f);

#endif
