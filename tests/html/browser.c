/* SPDX-License-Identifier: Apache-2.0 */
#include "browser.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWER_LIMIT = 64 << 20, WAIT_SECONDS = 30 };

static const char driver_path[] = "/usr/bin/chromedriver", browser_path[] = "/usr/bin/chromium";

bool browser_is_there(void)
{
	return !access(driver_path, X_OK) && !access(browser_path, X_OK);
}

static int connect_to(int port)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		                  .sin_port = htons((uint16_t)port),
		                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct timeval limit = { .tv_sec = WAIT_SECONDS };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	if (!connect(fd, (const struct sockaddr *)&at, sizeof(at)))
		return fd;
	close(fd);
	return -1;
}

static int send_all(int fd, const char *text, size_t length)
{
	while (length) {
		ssize_t sent = send(fd, text, length, MSG_NOSIGNAL);

		if (sent <= 0)
			return -1;
		text += sent;
		length -= (size_t)sent;
	}
	return 0;
}

/* Bytes that the whole answer has, once its head is there; else 0. */
static size_t answer_length(const char *text)
{
	const char *end = strstr(text, "\r\n\r\n"), *length = strcasestr(text, "content-length:");

	if (!end || !length || length > end)
		return 0;
	return (size_t)(end + 4 - text) + strtoull(length + strlen("content-length:"), NULL, 10);
}

/* The body of an answer; NULL: there is none. */
static json_t *receive(int fd)
{
	char *text = malloc(ANSWER_LIMIT);
	size_t length = 0, whole = 0;
	json_t *value = NULL;

	while (text && length + 1 < ANSWER_LIMIT && (!whole || length < whole)) {
		ssize_t got = recv(fd, text + length, ANSWER_LIMIT - 1 - length, 0);

		if (got <= 0)
			break;
		length += (size_t)got;
		text[length] = '\0';
		if (!whole)
			whole = answer_length(text);
	}
	if (whole && length >= whole)
		value = json_loads(strstr(text, "\r\n\r\n") + 4, 0, NULL);
	free(text);
	return value;
}

/* A request to the driver; `body` is taken over. Its value; NULL when it failed. */
static json_t *ask(struct browser *b, const char *method, const char *path, json_t *body)
{
	char *text = json_dumps(body, 0), *head = NULL;
	json_t *answer = NULL, *value;
	int fd = connect_to(b->port);
	size_t length = text ? strlen(text) : 0;

	json_decref(body);
	if (fd >= 0 && text &&
	    asprintf(&head,
	             "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
	             "Content-Length: %zu\r\n\r\n",
	             method, path, b->port, length) > 0 &&
	    !send_all(fd, head, strlen(head)) && !send_all(fd, text, length))
		answer = receive(fd);
	free(head);
	free(text);
	if (fd >= 0)
		close(fd);
	value = json_incref(json_object_get(answer, "value"));
	if (!value || json_object_get(value, "error")) {
		fprintf(stderr, "browser: %s %s: %s\n", method, path,
		        json_string_value(json_object_get(value, "message")));
		json_decref(value);
		value = NULL;
	}
	json_decref(answer);
	return value;
}

static json_t *ask_session(struct browser *b, const char *path, json_t *body)
{
	char whole[160];

	snprintf(whole, sizeof(whole), "/session/%s/%s", b->session, path);
	return ask(b, "POST", whole, body);
}

/* Read the driver's port from what it says. */
static int read_port(int fd)
{
	static const char before[] = "on port ";
	char text[4096];
	size_t length = 0;

	while (length + 1 < sizeof(text)) {
		ssize_t got = read(fd, text + length, sizeof(text) - 1 - length);
		const char *at;

		if (got <= 0)
			return -1;
		length += (size_t)got;
		text[length] = '\0';
		at = strstr(text, "successfully on port ");
		if (at && strchr(at, '\n'))
			return (int)strtol(strstr(at, before) + strlen(before), NULL, 10);
	}
	return -1;
}

/* The driver leads a process group, so that all that it starts can be ended, and ends with us. */
static int start_driver(struct browser *b)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	b->driver = fork();
	if (!b->driver) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(ends[1], STDOUT_FILENO);
		dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
		unsetenv("LD_PRELOAD");
		execl(driver_path, driver_path, "--port=0", (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	b->port = b->driver > 0 ? read_port(ends[0]) : -1;
	close(ends[0]);
	return b->port > 0 ? 0 : -1;
}

static json_t *wishes(const struct browser *b)
{
	return json_pack("{s:{s:{s:{s:s, s:[s,s,s,s,s,s+]}, s:{s:s}}}}", "capabilities",
	                 "alwaysMatch", "goog:chromeOptions", "binary", browser_path, "args",
	                 "--headless=new", "--no-sandbox", "--disable-gpu",
	                 "--disable-dev-shm-usage", "--window-size=1300,900",
	                 "--user-data-dir=", b->folder, "goog:loggingPrefs", "browser", "ALL");
}

int browser_open(struct browser *b)
{
	json_t *value;

	*b = (struct browser){ .folder = "/tmp/warpline-browser-XXXXXX" };
	if (!mkdtemp(b->folder)) {
		b->folder[0] = '\0';
		return -1;
	}
	if (start_driver(b)) {
		fputs("browser: chromedriver does not start\n", stderr);
		return -1;
	}
	value = ask(b, "POST", "/session", wishes(b));
	snprintf(b->session, sizeof(b->session), "%s",
	         value ? json_string_value(json_object_get(value, "sessionId")) : "");
	json_decref(value);
	return b->session[0] ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
	return remove(path);
}

void browser_close(struct browser *b)
{
	char path[120];

	if (b->session[0]) {
		snprintf(path, sizeof(path), "/session/%s", b->session);
		json_decref(ask(b, "DELETE", path, json_object()));
	}
	if (b->driver > 0) {
		kill(-b->driver, SIGTERM);
		waitpid(b->driver, NULL, 0);
		kill(-b->driver, SIGKILL);
	}
	for (int i = 0; b->folder[0] && i < 20 && !access(b->folder, F_OK); i++) {
		nftw(b->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
		usleep(20000);
	}
}

int browser_load(struct browser *b, const char *path)
{
	char url[512];
	json_t *value;

	snprintf(url, sizeof(url), "file://%s", path);
	value = ask_session(b, "url", json_pack("{s:s}", "url", url));
	json_decref(value);
	return value ? 0 : -1;
}

json_t *browser_run(struct browser *b, const char *body)
{
	return ask_session(b, "execute/sync", json_pack("{s:s,s:[]}", "script", body, "args"));
}

bool browser_holds(struct browser *b, const char *body)
{
	json_t *value = browser_run(b, body);
	bool holds = json_is_true(value);
	char *text = holds ? NULL : json_dumps(value, JSON_ENCODE_ANY);

	if (!holds)
		fprintf(stderr, "browser: this is %s:\n%s\n", text ? text : "an error", body);
	free(text);
	json_decref(value);
	return holds;
}

int browser_press(struct browser *b, const char *key)
{
	json_t *value =
		ask_session(b, "actions",
	                    json_pack("{s:[{s:s,s:s,s:[{s:s,s:s},{s:s,s:s}]}]}", "actions", "type",
	                              "key", "id", "keys", "actions", "type", "keyDown", "value",
	                              key, "type", "keyUp", "value", key));

	json_decref(value);
	return value ? 0 : -1;
}

json_t *browser_tell(struct browser *b, const char *command, const char *parameters)
{
	return ask_session(
		b, "goog/cdp/execute",
		json_pack("{s:s,s:o}", "cmd", command, "params", json_loads(parameters, 0, NULL)));
}

json_t *browser_console(struct browser *b)
{
	return ask_session(b, "se/log", json_pack("{s:s}", "type", "browser"));
}

/* Write base64 as bytes. */
static void write_base64(FILE *out, const char *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned bits = 0, count = 0;

	for (; *text && *text != '='; text++) {
		const char *at = strchr(digits, *text);

		bits = bits << 6 | (unsigned)(at ? at - digits : 0);
		count += 6;
		if (count >= 8) {
			count -= 8;
			fputc((int)(bits >> count & 0xff), out);
		}
	}
}

void browser_shoot(struct browser *b, const char *name)
{
	const char *folder = getenv("HTML_SHOTS");
	char path[512];
	json_t *value;
	FILE *out;

	if (!folder || !*folder)
		return;
	value = browser_tell(b, strstr(name, ".pdf") ? "Page.printToPDF" : "Page.captureScreenshot",
	                     "{\"captureBeyondViewport\":true}");
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	out = fopen(path, "wb");
	if (out && value)
		write_base64(out, json_string_value(json_object_get(value, "data")));
	if (out)
		fclose(out);
	json_decref(value);
}
