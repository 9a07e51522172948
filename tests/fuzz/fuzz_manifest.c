/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a manifest whose sums are right, beside the files of a recording; what follows its
 * first NUL is the text of a bypass list that it may name. */
#include "fuzz.h"

#include "recording_chain.h"
#include "recording_sign.h"
#include "str.h"

#include <string.h>

static const char applied[] = "warpline bypass 1\nsite 0\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct chain_report report;
	const char *dir = fuzz_recording("vadd");
	const uint8_t *nul = size ? memchr(data, '\0', size) : NULL;
	size_t length = nul ? (size_t)(nul - data) : size;
	struct str text;

	fuzz_write("vadd/bypass.txt", nul ? nul + 1 : data, nul ? size - length - 1 : 0);
	fuzz_write("vadd/applied.txt", applied, sizeof(applied) - 1);
	str_init(&text, (size_t)1 << 27);
	recording_sign(dir, (const char *)data, length, &text);
	fuzz_write("vadd/manifest.jsonl", text.text ? text.text : "", text.length);
	str_release(&text);
	chain_run(dir, fuzz_gpu(), NULL, &report);
	fuzz_assert(!report.refusal.code == !report.refusal.msg[0], "what is refused has a reason");
	fuzz_commands(dir, &report, data, size);
	return 0;
}
