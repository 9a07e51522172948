/*
 * html_terms - the words of a page and what they mean: links from headings, and the glossary.
 */
#ifndef HTML_TERMS_H
#define HTML_TERMS_H

#include <stdio.h>

enum html_term {
	HTML_TERM_NONE,
#define TERM(name, heading, text) HTML_TERM_##name,
#include "html_terms.def"
#undef TERM
};

/* A small link to the term; not for HTML_TERM_NONE. */
void html_term_link(FILE *out, enum html_term term);

/* All terms, as a list of definitions. */
void html_terms_write(FILE *out);

#endif
