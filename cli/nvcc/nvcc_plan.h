/*
 * nvcc_plan - the commands that implement a command line of nvcc.
 *
 * clang compiles a CUDA source twice: for the device, to LLVM bitcode, and for the host, with
 * that bitcode in the object. Making a plan runs nothing and writes no file; it only searches the
 * folders of -I for a toolkit's headers, which must not come before ours.
 */
#ifndef NVCC_PLAN_H
#define NVCC_PLAN_H

#include "array.h"
#include "nvcc_line.h"
#include "nvcc_places.h"

struct err;
struct word_list;

struct nvcc_plan {
	struct array steps; /* of struct word_list, in order */
};

/* The compilers: of the LLVM that the instrumenter is built with. */
#define NVCC_CLANG     "clang-" WARPLINE_LLVM
#define NVCC_CLANG_CXX "clang++-" WARPLINE_LLVM

/*
 * Make the plan; release it in every case. Returns 0; ERR_USAGE for a contradictory line (no
 * source, -o with several objects); ERR_IO if a program has to be linked and our libcudart is
 * missing; ERR_LIMIT, ERR_NOMEM.
 */
int nvcc_plan_make(struct nvcc_plan *p, const struct nvcc_line *l, const struct nvcc_places *places,
                   struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void nvcc_plan_release(struct nvcc_plan *p);

/*
 * Run one step and wait for it; its output passes through. Returns its exit status, or 128 + the
 * signal that ended it; ERR_IO if it cannot be started, for clang with how to install it;
 * ERR_NOMEM.
 */
int nvcc_plan_run(struct word_list *step, struct err *err);

#endif
