/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a GPU description: one that is taken prints as a text that reads as the same. */
#include "fuzz.h"

#include "err.h"
#include "gpu.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

static void print(const struct gpu *gpu, struct str *to)
{
	str_init(to, 1 << 20);
	fuzz_assert(gpu_print(gpu, to, NULL) == 0, "a description can be printed");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	struct str first, second;
	struct err err = { 0 };
	struct gpu gpu, again;

	if (gpu_parse(&gpu, "fuzz.conf", text, NULL, &err)) {
		fuzz_assert(strstr(err.msg, "fuzz.conf") != NULL, "what is refused has a reason");
	} else {
		fuzz_assert(gpu_check(&gpu, NULL) == 0, "what is taken is consistent");
		print(&gpu, &first);
		fuzz_assert(gpu_parse(&again, "again.conf", first.text, NULL, &err) == 0,
		            "what is printed can be read");
		print(&again, &second);
		fuzz_assert(strcmp(first.text, second.text) == 0, "and is printed as the same");
		str_release(&first);
		str_release(&second);
	}
	free(text);
	return 0;
}
