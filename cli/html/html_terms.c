/* SPDX-License-Identifier: Apache-2.0 */
#include "html_terms.h"

#include <stddef.h>

static const struct {
	const char *name, *heading, *text;
} terms[] = {
	{ "", "", "" },
#define TERM(name, heading, text) { #name, heading, text },
#include "html_terms.def"
#undef TERM
};

void html_term_link(FILE *out, enum html_term term)
{
	fprintf(out, "<a class=q href=#d-%s aria-label=\"%s: what it means\">?</a>",
	        terms[term].name, terms[term].heading);
}

void html_terms_write(FILE *out)
{
	fputs("<dl class=words>\n", out);
	for (size_t i = 1; i < sizeof(terms) / sizeof(terms[0]); i++)
		fprintf(out, "<dt id=d-%s>%s</dt><dd>%s</dd>\n", terms[i].name, terms[i].heading,
		        terms[i].text);
	fputs("</dl>\n", out);
}
