/*
 * group_spec - the groups that --groups names, with those of an SM turned into numbers.
 *
 * The recorder knows no GPUs: it gets ranges and steps only (group_selection.h).
 */
#ifndef GROUP_SPEC_H
#define GROUP_SPEC_H

struct err;

/*
 * `spec` with each part `sm:S@GPU` replaced by the groups that round-robin dispatch places first on
 * SM S of that GPU (a name of the catalogue or a path): `S../SMs`. Other parts stay as they are,
 * unchecked. On the heap. NULL with ERR_USAGE and "WHAT: ..." for no such SM or GPU, with what
 * gpu_catalogue_load() returns, or with ERR_NOMEM.
 */
char *group_spec_resolve(const char *spec, const char *what, struct err *err);

#endif
