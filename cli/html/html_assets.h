/*
 * html_assets - what is the same in every page: its style, its script, and the library of charts,
 * put into the program when it is built (embed.cmake).
 *
 * The library is Chart.js 3 where it was there then; else there is none and pages have tables
 * alone.
 */
#ifndef HTML_ASSETS_H
#define HTML_ASSETS_H

#include <stddef.h>

struct html_asset {
	const unsigned char *bytes; /* NULL: there is none */
	size_t length;
	const char *digest; /* SHA-256 in base64, for a Content-Security-Policy */
};

extern const struct html_asset html_page_css, html_page_js, html_chart_js;

#endif
