/*
 * html_assets - the parts that every page shares: its style, its script, and the library of charts,
 * built into the program (embed.cmake).
 *
 * The library is Chart.js 3 if it was installed at that time; otherwise there is none, and pages
 * have only tables.
 */
#ifndef HTML_ASSETS_H
#define HTML_ASSETS_H

#include <stddef.h>

struct html_asset {
	const unsigned char *bytes; /* NULL: there is no such asset */
	size_t length;
	const char *digest; /* SHA-256 in base64, for a Content-Security-Policy */
};

extern const struct html_asset html_page_css, html_page_js, html_chart_js;

#endif
