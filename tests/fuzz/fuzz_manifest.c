/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a manifest, beside the launch files of a recording. */
#include "fuzz.h"

#include "recording_chain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct chain_report report;
	const char *dir = fuzz_recording("vadd");

	fuzz_write("vadd/manifest.jsonl", data, size);
	chain_run(dir, fuzz_gpu(), NULL, &report);
	fuzz_assert(!report.refusal.code == !report.refusal.msg[0], "what is refused has a reason");
	return 0;
}
