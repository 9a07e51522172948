/*
 * finding_ledger - how much of the kernels' memory work each finding may call its own (private to
 * cli/report).
 *
 * The turns of an access (docs/findings.md) lie in stocks: its requests, its bytes, its atomics,
 * its passes of local memory. A claim says which share of which stocks would be saved if its cause
 * were mended. Claims are settled like repairs, one after another: the one that saves most first,
 * and each next one of what those before leave. So a claim never costs more than the stocks it is
 * about, all of them together never more than there is, and what one cause has cost none other has.
 */
#ifndef FINDING_LEDGER_H
#define FINDING_LEDGER_H

#include "array.h"
#include "finding.h"

#include <stdbool.h>
#include <stddef.h>

struct finding_spot;

/* What the turns of an access are of. FINDING_TIME: what its kernel's SMs do all together, in the
 * first spot of a kernel alone. */
enum finding_stock {
	FINDING_REQUESTS,
	FINDING_BYTES,  /* from L2, and those that writes send there */
	FINDING_LANES,  /* turns of atomics beyond their requests */
	FINDING_PASSES, /* instructions on local memory, and their further passes */
	FINDING_TIME,
	FINDING_STOCKS
};

/* A share, above 0 and at most 1, of a stock. */
struct finding_wish {
	const struct finding_spot *spot;
	enum finding_stock stock;
	double share;
};

/* A finding that is being made. A zeroed one is none. */
struct finding_claim {
	struct finding f;
	char *said;                      /* what is to be said after the place, in OpenCL's words */
	bool is_found, is_failed;        /* is_failed: memory ran out */
	bool is_minor;                   /* whatever it costs */
	const struct finding_spot *spot; /* that it names */
	struct array wishes;             /* struct finding_wish: no stock twice */
	double cost;                     /* turns; an upper bound until it is settled */
	bool is_settled;
};

void finding_claim_release(struct finding_claim *c);

/* So many turns of a stock of *p could be saved: all of it, if it has no more. */
void finding_save(struct finding_claim *c, const struct finding_spot *p, enum finding_stock stock,
                  double turns);

/*
 * Settle those of `claims` (struct finding_claim) whose share of what they are of is at least
 * `least`: is_settled, f.cost_turns, f.cost_share. They are about `spots`, of all kernels. Of
 * two that save as much the one that comes first in the array is settled first. Returns 0 or
 * ERR_NOMEM.
 */
int finding_ledger_settle(struct array *claims, const struct finding_spot *spots, size_t spot_count,
                          const double whole[FINDING_WHOLES], double least, struct err *err);

#endif
