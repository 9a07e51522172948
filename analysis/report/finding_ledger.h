/*
 * finding_ledger - attributes the kernels' memory work to findings (private to analysis/report).
 *
 * The turns of an access (docs/findings.md) are divided into stocks: its requests, its bytes, its
 * atomics, its passes of local memory. A claim names the share of each stock that would be saved if
 * its cause were fixed. Claims are settled like repairs, one after another: the one that saves most
 * first, and each further one from the rest. So a claim never costs more than its stocks, all
 * claims together never more than the total, and no turn is attributed to two causes.
 */
#ifndef FINDING_LEDGER_H
#define FINDING_LEDGER_H

#include "array.h"
#include "finding.h"

#include <stdbool.h>
#include <stddef.h>

struct finding_spot;

/* What turns of an access are spent on. FINDING_TIME is all work of the kernel's SMs; only the
 * first spot of a kernel has it. */
enum finding_stock {
	FINDING_REQUESTS,
	FINDING_BYTES,  /* from L2, and those that writes send to it */
	FINDING_LANES,  /* turns of atomics beyond their requests */
	FINDING_PASSES, /* instructions on local memory, and their additional passes */
	FINDING_TIME,
	FINDING_STOCKS
};

/* A share, above 0 and at most 1, of a stock. */
struct finding_wish {
	const struct finding_spot *spot;
	enum finding_stock stock;
	double share;
};

/* A finding being made. Zeroed: none. */
struct finding_claim {
	struct finding f;
	char *said;                      /* the sentence after the place, in OpenCL terms */
	bool is_found, is_failed;        /* is_failed: memory ran out */
	bool is_minor;                   /* whatever its cost */
	const struct finding_spot *spot; /* named in the sentence */
	struct array wishes;             /* struct finding_wish: no stock twice */
	double cost;                     /* turns; an upper bound until it is settled */
	bool is_settled;
};

void finding_claim_release(struct finding_claim *c);

/* Claim that `turns` turns of a stock of *p could be saved, or all of it if it has fewer. */
void finding_save(struct finding_claim *c, const struct finding_spot *p, enum finding_stock stock,
                  double turns);

/*
 * Settle the `claims` (struct finding_claim) whose share of their whole is at least `least`: set
 * is_settled, f.cost_turns and f.cost_share. `spots` are those of all kernels. Of claims that save
 * the same, the first in the array is settled first. Returns 0 or ERR_NOMEM.
 */
int finding_ledger_settle(struct array *claims, const struct finding_spot *spots, size_t spot_count,
                          const double whole[FINDING_WHOLES], double least, struct err *err);

#endif
