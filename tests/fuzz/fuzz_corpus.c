/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_corpus FOLDER: without libFuzzer, a fuzzer once for each file of a folder. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static uint8_t bytes[1 << 20];

static int play(const char *folder, const char *name)
{
	char path[512];
	FILE *file;
	size_t size;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "rb");
	if (!file)
		return 1;
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	puts(name);
	fflush(stdout);
	return LLVMFuzzerTestOneInput(bytes, size);
}

int main(int argc, char **argv)
{
	DIR *entries = argc == 2 ? opendir(argv[1]) : NULL;
	struct dirent *entry;
	int played = 0;

	if (!entries)
		return 2;
	while ((entry = readdir(entries)))
		if (entry->d_name[0] != '.') {
			if (play(argv[1], entry->d_name))
				return 1;
			played++;
		}
	closedir(entries);
	return played ? 0 : 1;
}
