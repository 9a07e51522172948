/* SPDX-License-Identifier: Apache-2.0 */
/* A trace to import, of the format that the first byte chooses: what is made of it is a recording
 * that everything reads. */
#include "fuzz.h"

#include "import.h"
#include "recording_chain.h"

static int import_any(uint8_t format, const char *list, const char *made, struct err *err)
{
	switch (format % 8) {
	case 3:
		return import_traceg(list, made, err);
	case 4:
		return import_nvbit(list, made, err);
	default:
		break;
	}
	if (format % 3 == 0)
		return import_ancestor(list, made, err);
	return import_addresses(list, format % 3 == 1 ? ADDRESS_DIN : ADDRESS_U64, UINT64_MAX, made,
	                        err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct chain_report report;
	struct err err = { 0 };
	const char *list, *made;
	int ret;

	if (size < 1)
		return 0;
	fuzz_write("list", data + 1, size - 1);
	list = fuzz_path("list");
	made = fuzz_path("made");
	ret = import_any(data[0], list, made, &err);
	if (ret) {
		fuzz_assert(err.msg[0] != '\0', "what is refused has a reason");
		return 0;
	}
	chain_run(made, fuzz_gpu(), NULL, &report);
	fuzz_assert(!report.refusal.code, "what was imported can be read");
	fuzz_remove("made");
	return 0;
}
