/*
 * sync_kind - what a CUDA work-item waits for: see sync_kinds.def. Also compiled by OpenCL C
 * compilers.
 */
#ifndef SYNC_KIND_H
#define SYNC_KIND_H

enum sync_kind {
#define SYNC_KIND(NAME) SYNC_##NAME,
#include "sync_kinds.def"
#undef SYNC_KIND
	SYNC_KINDS
};

/* Kinds of a work-group, not of a warp. */
#define SYNC_IS_GROUP(kind) ((kind) >= SYNC_GROUP_COUNT)

#endif
