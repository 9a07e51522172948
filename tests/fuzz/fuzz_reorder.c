/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a reorder configuration: one that is taken prints as a text that reads as the same.
 */
#include "fuzz.h"

#include "err.h"
#include "reorder_config.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

static void print(const struct reorder_config *c, struct str *to)
{
	str_init(to, 1 << 26);
	fuzz_assert(reorder_config_print(c, to, NULL) == 0, "a configuration can be printed");
}

static void check_again(const struct reorder_config *c)
{
	struct reorder_config again;
	struct str first, second;

	print(c, &first);
	reorder_config_init(&again);
	fuzz_assert(reorder_config_parse(&again, "again", first.text, NULL) == 0,
	            "what is printed can be read");
	print(&again, &second);
	fuzz_assert(strcmp(first.text, second.text) == 0, "and is printed as the same");
	reorder_config_release(&again);
	str_release(&first);
	str_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	struct reorder_config config;
	struct err err = { 0 };

	reorder_config_init(&config);
	if (reorder_config_parse(&config, "fuzz", text, &err))
		fuzz_assert(strstr(err.msg, "fuzz:") != NULL, "what is refused has a reason");
	else
		check_again(&config);
	reorder_config_release(&config);
	free(text);
	return 0;
}
