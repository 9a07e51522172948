/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLATFORMS = 32, NAME_BYTES = 256, MAX_GROUP = 65536, MAX_REPEAT = 100000 };

static void print_help(const struct app_spec *s)
{
	printf("Usage: %s [OPTION]...\n%s\n\n"
	       "  --size N         %s (%zu to %zu; default %zu)\n"
	       "  --group X[xYxZ]  work-group size (default %zux%zux%zu)\n"
	       "  --repeat R       run R times, report the best time (default 1)\n"
	       "  --platform P     OpenCL platform: its number, or a part of its name or vendor "
	       "(default 0)\n"
	       "  -h, --help       print this\n\n"
	       "Prints one line: NAME size= group= kernel_ms= checksum=\n"
	       "Ends with 0, 1 for a wrong result or an OpenCL error, 2 for wrong usage.\n",
	       s->name, s->summary, s->size_text, s->size_min, s->size_max, s->size, s->group[0],
	       s->group[1], s->group[2]);
}

/* A number from min to max at *text; *end is where it stops. False if there is none. */
static bool parse_number(const char *text, char **end, size_t min, size_t max, size_t *out)
{
	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	unsigned long long value = strtoull(text, end, 10);

	*out = (size_t)value;
	return errno == 0 && value >= min && value <= max;
}

static size_t number_option(const struct app *app, const char *option, const char *text, size_t min,
                            size_t max)
{
	char *end;
	size_t value;

	if (!parse_number(text, &end, min, max, &value) || *end)
		app_usage(app, "%s: '%s' is not a number from %zu to %zu", option, text, min, max);
	return value;
}

static void parse_group(struct app *app, const char *text)
{
	size_t group[3] = { 1, 1, 1 };
	const char *p = text;
	unsigned d = 0;

	for (;;) {
		char *end;

		if (d == app->spec->dimensions || !parse_number(p, &end, 1, MAX_GROUP, &group[d]))
			break;
		d++;
		if (*end == '\0') {
			memcpy(app->group, group, sizeof(group));
			return;
		}
		if (*end != 'x')
			break;
		p = end + 1;
		/* Three sizes are always allowed; those beyond the program's are 1. */
		if (d == app->spec->dimensions && (!strcmp(p, "1") || !strcmp(p, "1x1"))) {
			memcpy(app->group, group, sizeof(group));
			return;
		}
	}
	app_usage(app, "--group: '%s' is not 1 to %u sizes from 1 to %d, as in 16x16", text,
	          (unsigned)app->spec->dimensions, (int)MAX_GROUP);
}

static void parse_options(struct app *app, int argc, char **argv)
{
	static const struct option options[] = {
		{ "size", required_argument, NULL, 's' },
		{ "group", required_argument, NULL, 'g' },
		{ "repeat", required_argument, NULL, 'r' },
		{ "platform", required_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	const struct app_spec *s = app->spec;
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (c) {
		case 's':
			app->size = number_option(app, "--size", optarg, s->size_min, s->size_max);
			break;
		case 'g':
			parse_group(app, optarg);
			break;
		case 'r':
			app->repeat =
				(unsigned)number_option(app, "--repeat", optarg, 1, MAX_REPEAT);
			break;
		case 'p':
			app->platform = optarg;
			break;
		case 'h':
			print_help(s);
			exit(0);
		default: /* getopt_long() has said why */
			exit(2);
		}
	}
	if (optind < argc)
		app_usage(app, "unexpected argument '%s'", argv[optind]);
}

/* Whether the platform's name or vendor has `word` in it, in any case. */
static bool platform_matches(const struct app *app, cl_platform_id platform, const char *word)
{
	char name[NAME_BYTES] = "", vendor[NAME_BYTES] = "";

	app_check(app, clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name), name, NULL),
	          "clGetPlatformInfo");
	app_check(app,
	          clGetPlatformInfo(platform, CL_PLATFORM_VENDOR, sizeof(vendor), vendor, NULL),
	          "clGetPlatformInfo");
	return strcasestr(name, word) || strcasestr(vendor, word);
}

static cl_platform_id choose_platform(const struct app *app)
{
	cl_platform_id platforms[MAX_PLATFORMS];
	cl_uint count = 0;
	cl_int status = clGetPlatformIDs(MAX_PLATFORMS, platforms, &count);
	char *end;
	size_t number;

	/* -1001 is the loader's word for no platform at all. */
	if (status == -1001 || (status == CL_SUCCESS && count == 0))
		app_fail(app, "there is no OpenCL platform");
	app_check(app, status, "clGetPlatformIDs");
	if (count > MAX_PLATFORMS)
		count = MAX_PLATFORMS;
	if (!app->platform)
		return platforms[0];
	if (parse_number(app->platform, &end, 0, count - 1, &number) && *end == '\0')
		return platforms[number];
	for (cl_uint i = 0; i < count; i++)
		if (platform_matches(app, platforms[i], app->platform))
			return platforms[i];
	app_usage(app,
	          "--platform: '%s' is neither a number below %u nor a part of a "
	          "platform's name or vendor",
	          app->platform, (unsigned)count);
}

static void open_device(struct app *app)
{
	cl_platform_id platform = choose_platform(app);
	cl_int status;

	app_check(app, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &app->device, NULL),
	          "clGetDeviceIDs");
	app->context = clCreateContext(NULL, 1, &app->device, NULL, NULL, &status);
	app_check(app, status, "clCreateContext");
	app->queue = clCreateCommandQueue(app->context, app->device, 0, &status);
	app_check(app, status, "clCreateCommandQueue");
}

static void build_program(struct app *app)
{
	const char *source = app_kernel_source;
	cl_int status;

	app->program = clCreateProgramWithSource(app->context, 1, &source, NULL, &status);
	app_check(app, status, "clCreateProgramWithSource");
	status = clBuildProgram(app->program, 1, &app->device, NULL, NULL, NULL);
	if (status == CL_BUILD_PROGRAM_FAILURE) {
		static char log[16384];

		clGetProgramBuildInfo(app->program, app->device, CL_PROGRAM_BUILD_LOG,
		                      sizeof(log) - 1, log, NULL);
		app_fail(app, "the kernel does not compile:\n%s", log);
	}
	app_check(app, status, "clBuildProgram");
}

int app_main(int argc, char **argv, const struct app_spec *spec)
{
	struct app app = { .spec = spec, .size = spec->size, .repeat = 1, .kernel_ms = -1 };

	memcpy(app.group, spec->group, sizeof(app.group));
	parse_options(&app, argc, argv);
	open_device(&app);
	build_program(&app);
	spec->run(&app);
	printf("%s size=%zu group=%zux%zux%zu kernel_ms=%.3f checksum=%016" PRIx64 "\n", spec->name,
	       app.size, app.group[0], app.group[1], app.group[2], app.kernel_ms, app.checksum);
	clReleaseProgram(app.program);
	clReleaseCommandQueue(app.queue);
	clReleaseContext(app.context);
	return fflush(stdout) == 0 ? 0 : 1;
}
