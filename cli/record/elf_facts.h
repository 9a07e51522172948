/*
 * elf_facts - what an ELF file says of how it will be loaded.
 *
 * Reads the file and runs nothing. Of files that are not for this machine only that is told. A file
 * that contradicts itself has the facts that could be read.
 */
#ifndef ELF_FACTS_H
#define ELF_FACTS_H

#include "array.h"

#include <stdbool.h>

struct err;

struct elf_facts {
	bool is_elf;
	unsigned bits;       /* 32 or 64; 0: neither */
	bool is_foreign;     /* for another machine, or of other bits than this program */
	bool is_static;      /* a program without an interpreter to load libraries into it */
	bool names_opencl;   /* "libOpenCL" stands somewhere in the file */
	bool has_cuda_code;  /* likewise ".nv_fatbin": it brings code for NVIDIA's GPUs */
	struct array needed; /* of char *: names of the libraries that it is linked with */
	char *run_path;      /* its RUNPATH, else RPATH, $ORIGIN replaced; NULL: none */
};

/* Read the facts of `path`; release *f in every case. A file that is no ELF file has is_elf false.
 * Returns 0, ERR_IO, ERR_LIMIT (more than 256 MB), ERR_NOMEM. */
int elf_facts_read(struct elf_facts *f, const char *path, struct err *err);

/* The same of a file's contents, which are `path`'s. */
int elf_facts_parse(struct elf_facts *f, const char *path, const char *bytes, size_t length,
                    struct err *err);

/* Whether it is linked with libOpenCL; that name as it stands there (borrowed), else NULL. */
const char *elf_facts_opencl(const struct elf_facts *f);

/* Free what it owns. Accepts a zeroed struct. */
void elf_facts_release(struct elf_facts *f);

#endif
