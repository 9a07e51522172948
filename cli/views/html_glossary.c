/* SPDX-License-Identifier: Apache-2.0 */
#include "html_glossary.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* As docs/semantics.md has them, in the order of its glossary. */
static const struct {
	const char *word, *heading, *text;
} words[] = {
	{ "launch", "Launch",
	  "One run of a kernel (clEnqueueNDRangeKernel), numbered from 0 in the order of the "
	  "program. Caches are empty when a launch begins." },
	{ "warp", "Warp and lane",
	  "A warp is a set of work-items that issue together; each of them is a lane. The GPU "
	  "description gives their number (warp_lanes)." },
	{ "request", "Request",
	  "What one warp instruction asks of one cache line. Lanes that touch the same line "
	  "share a request: 32 neighbouring 4-byte reads are one request of a 128-byte line; "
	  "32 reads 2,048 bytes apart are 32 requests." },
	{ "lanes", "Lanes per request",
	  "Work-items' accesses divided by requests. For 4-byte accesses to lines of 128 bytes the "
	  "best value is the number of lanes in a warp; 1 means that every lane asks for a line of "
	  "its own." },
	{ "hit", "Hits and pending hits",
	  "A hit is a read that finds its line in L1. A pending hit finds it on its way: it waits "
	  "for the fill, moves no bytes, and is counted separately." },
	{ "miss", "Misses",
	  "Reads that find neither their line in L1 nor on its way. Each moves a line, or "
	  "its sectors, from L2." },
	{ "rate", "Miss rate",
	  "misses / (hits + pending hits + misses), of reads. Writes and atomics are in no "
	  "miss rate; neither are reads that bypass L1." },
	{ "cold", "Cold misses",
	  "The line was never referenced before on this SM in this launch. No cache, however "
	  "large, would hold it." },
	{ "capacity", "Capacity misses",
	  "A fully associative LRU cache of the same size would miss too: since the last use of "
	  "the line, at least as many others were used as the cache holds." },
	{ "conflict", "Conflict misses",
	  "All other misses: there is room in the cache, but not in the set of the line." },
	{ "coherence", "Coherence misses",
	  "A write or an atomic took the line out of L1, or L2 did." },
	{ "sector", "Sector misses",
	  "The line is there or on its way, but not all of the sectors that the read asks for." },
	{ "moved", "Bytes from L2", "Bytes of the lines or sectors that reads fetched." },
	{ "used", "Bytes used",
	  "The distinct bytes that reads asked for before the line left, of those that it brought "
	  "in. The rest was moved for nothing." },
	{ "further", "Further uses",
	  "Reads that find a line, there or on its way, after the one that brought it in and "
	  "before it leaves. A line with 0 gained nothing from L1." },
	{ "curve", "Miss-ratio curve",
	  "For each number of lines, the share of reads that would miss in an LRU cache of "
	  "that size: those whose reuse distance is at least that (Mattson 1970). A fully "
	  "associative cache has no conflict misses; a curve of sets has them." },
	{ "set", "Set",
	  "The places of L1 in which a line can be. The GPU's l1_index maps addresses to sets. If "
	  "a few sets have most of the misses, a stride hits the same sets again and again." },
	{ "cycles", "Cycles",
	  "SM cycles until the last SM is done, as modelled: one warp instruction for each "
	  "scheduler and cycle, and the latencies of the GPU description. They compare two "
	  "replays; they do not predict time." },
	{ "site", "Source line",
	  "The place in the program's source of the memory instructions (sites) whose "
	  "accesses are counted; the figures are sums over the sites of the line." },
	{ "buffer", "Buffer",
	  "A cl_mem or shared allocation of the program, numbered from 0 in the order of "
	  "allocation. Beside it are the arguments through which kernels see it." },
	{ "finding", "Finding",
	  "A rule that holds for a line, a buffer or a kernel, with the figures that it is judged "
	  "by. Rules and thresholds: docs/findings.md." },
	{ "complete", "Complete",
	  "A recording is complete when nothing that was to be recorded was dropped, "
	  "skipped, cut short or not supported. What the user left out is not missing." },
};

enum { WORDS = sizeof(words) / sizeof(words[0]) };

void html_glossary_link(FILE *out, const char *word)
{
	size_t i = 0;

	while (i < WORDS && strcmp(words[i].word, word) != 0)
		i++;
	assert(i < WORDS);
	fprintf(out, "<a class=q href=#d-%s aria-label=\"%s: what it means\">?</a>", word,
	        words[i].heading);
}

void html_glossary_write(FILE *out)
{
	fputs("<dl class=words>\n", out);
	for (size_t i = 0; i < WORDS; i++)
		fprintf(out, "<dt id=d-%s>%s</dt><dd>%s</dd>\n", words[i].word, words[i].heading,
		        words[i].text);
	fputs("</dl>\n", out);
}
