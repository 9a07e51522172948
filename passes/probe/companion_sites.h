/*
 * companion_sites - finds sites that need no record of their own: companions.
 *
 * Sites in the same node are executed together. A companion's address differs from that of an
 * earlier site in its node, its leader, by something that does not change during the launch: a
 * constant, and a DIFFERENCE that is computed from the kernel's arguments and sizes of the NDRange
 * and is recorded once, by the launch's first work-item. The decoder reconstructs the companion's
 * event from the word of the site before it that has one (kernel_table.h).
 *
 * Only where this is proved for every execution that the source defines (address_form.h). If
 * pointers have fewer than 64 bits, only equal addresses count. Never for a size known only at run
 * time. The kernel is not changed.
 */
#ifndef COMPANION_SITES_H
#define COMPANION_SITES_H

#include "address_form.h"
#include "affine_sites.h"

struct insertion;

struct companion_sites {
	struct form_finder forms;
	struct array differences;  /* struct form, invariant, without a constant */
	struct array companions;   /* struct companion, until they are moved to the table */
	enum site_record *records; /* per site of the kernel's table */
};

/*
 * Decide for the sites that in->record lists as points; `records` receives the decision for every
 * site. Fills companions and difference_count of the kernel's table. Release with
 * companion_sites_release() in any case. Returns 0 or ERR_NOMEM.
 */
int companion_sites_find(struct companion_sites *c, const struct insertion *in, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void companion_sites_release(struct companion_sites *c);

/* Build code that passes the differences to `probe`, after the arguments. */
void companion_sites_tell(const struct companion_sites *c, struct insertion *in,
                          LLVMValueRef probe);

#endif
