/*
 * pages - data of reports, made by hand, of which tests make pages.
 *
 * Not part of the program. No launch is replayed: the numbers are made to be seen, and agree where
 * the page could tell (classes sum to misses, kernels to the total).
 */
#ifndef PAGES_H
#define PAGES_H

#include "gpu.h"
#include "html_order.h"
#include "html_page.h"
#include "recording.h"
#include "report_data.h"

/* HOSTILE: every text tries to leave its place, and launches are many enough to be data. MANY:
 * 10,000 launches. BARE: nothing was played. */
enum page_kind { PAGE_PLAIN, PAGE_HOSTILE, PAGE_MANY, PAGE_BARE, PAGE_KINDS };

struct made_page {
	struct recording recording;
	struct report_data data;
	struct gpu gpu;
	struct html_order order;
	struct html_page page; /* of all these */
};

/* "plain", "hostile", "many", "bare"; PAGE_KINDS: none of these. */
enum page_kind made_page_kind(const char *name);

/* Fill *m; it stays where it is. Returns 0 or a negative ERR_*. Release in every case. */
int made_page_init(struct made_page *m, enum page_kind kind, struct err *err);
void made_page_release(struct made_page *m);

#endif
