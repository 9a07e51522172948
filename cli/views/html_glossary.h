/*
 * html_glossary - the words of a page and what they mean: the links in headings, and the list.
 */
#ifndef HTML_GLOSSARY_H
#define HTML_GLOSSARY_H

#include <stdio.h>

/* Write a small link to a word of the glossary, "miss". */
void html_glossary_link(FILE *out, const char *word);

/* Write all words as a list of definitions. */
void html_glossary_write(FILE *out);

#endif
