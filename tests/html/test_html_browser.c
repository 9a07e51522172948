/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of made data (pages.h) in a real browser. Where there is none the test is skipped: 77.
 * HTML_SHOTS=FOLDER keeps pictures of the pages for people to look at. */
#include "browser.h"
#include "cmocka_all.h"
#include "err.h"
#include "html_assets.h"
#include "pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SKIPPED = 77, LIMIT_SECONDS = 100 };

static struct browser browser;

/* Make the page of a kind and load it, at the width and in the scheme that are set. */
static void show(enum page_kind kind)
{
	static struct made_page m;
	struct err err = { 0 };
	char path[128];
	FILE *out;

	snprintf(path, sizeof(path), "%s/page.html", browser.folder);
	out = fopen(path, "w");
	assert_non_null(out);
	assert_int_equal(made_page_init(&m, kind, &err), 0);
	assert_int_equal(html_page_write(&m.page, out, &err), 0);
	assert_int_equal(fclose(out), 0);
	made_page_release(&m);
	json_decref(browser_console(&browser));
	assert_int_equal(browser_load(&browser, path), 0);
}

static void tell(const char *command, const char *parameters)
{
	json_t *value = browser_tell(&browser, command, parameters);

	assert_non_null(value);
	json_decref(value);
}

#define assert_page(body) assert_true(browser_holds(&browser, body))

static void pages_load_without_a_word_on_the_console(void **state)
{
	for (int kind = 0; kind < PAGE_KINDS; kind++) {
		json_t *words;

		show((enum page_kind)kind);
		words = browser_console(&browser);
		if (json_array_size(words))
			json_dumpf(words, stderr, JSON_INDENT(1));
		assert_int_equal(json_array_size(words), 0);
		json_decref(words);
		assert_page("return performance.getEntriesByType('resource').length === 0");
		assert_page("return document.querySelectorAll('main > section').length === 13");
	}
}

static void what_is_not_ours_neither_runs_nor_loads(void **state)
{
	show(PAGE_PLAIN);
	assert_page("const script = document.createElement('script');"
	            "script.textContent = 'window.owned = true'; document.body.append(script);"
	            "return window.owned === undefined");
	assert_page("const image = new Image(); return new Promise((done) => {"
	            "image.onerror = () => done(true); image.onload = () => done(false);"
	            "image.src = "
	            "'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';"
	            "})");
}

static void hostile_texts_stay_texts(void **state)
{
	show(PAGE_HOSTILE);
	assert_page("return document.querySelectorAll('img, iframe, h1 + h1').length === 0");
	assert_page("return document.querySelectorAll('h1').length === 1");
	assert_page("return document.querySelectorAll('script').length <= 3 && document.title !== "
	            "'owned'");
	assert_page("const name = document.querySelector('#kernel-table tbody th').textContent;"
	            "return "
	            "name.startsWith('</script><script>document.title=\\'owned\\'</script><!--') &&"
	            "  "
	            "name.includes('&lt;<U+2028><U+202E>\\ufffd\\ufffd\\ufffd<U+0001>\\\\u003c${1}`"
	            "]]>')");
	assert_page("return document.querySelector('#launch-table tbody td').textContent ==="
	            "  document.querySelector('#kernel-table tbody th').textContent");
	assert_page("return [...document.querySelectorAll('.source td.code')].some((cell) =>"
	            "  cell.textContent.startsWith('</td></table></style><h1>owned</h1>'))");
	assert_page("return document.querySelectorAll('#complete ~ *, #words').length >= 1");
	assert_page("return ![...document.querySelectorAll('*')].some((element) =>"
	            "  [...element.attributes].some((a) => /^on/.test(a.name)))");
}

static void ids_are_unique_and_links_lead_to_them(void **state)
{
	for (int kind = 0; kind < PAGE_KINDS; kind++) {
		show((enum page_kind)kind);
		assert_page("const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);"
		            "const twice = ids.filter((id, i) => ids.indexOf(id) !== i);"
		            "return twice.length ? twice : true");
		assert_page("const lost = [...document.querySelectorAll('a[href]')].filter((a) =>"
		            "  !a.hash || !document.getElementById(a.hash.slice(1))).map((a) => "
		            "a.href);"
		            "return lost.length ? lost : true");
		assert_page("return [...document.querySelectorAll('input')].every((i) => "
		            "i.labels.length)");
	}
}

/* The texts of a column of a table, as they stand. */
#define COLUMN(table, n)                                                                           \
	"const column = () => [...document.querySelectorAll('" table                               \
	" tbody tr')].filter((r) => !r.hidden).map((r) => r.cells[" #n "].textContent);"
#define HEAD(table, n)                                                                             \
	"const head = document.querySelector('" table "').tHead.rows[0].cells[" #n "];"

static void headings_sort_numbers_as_numbers_and_names_as_names(void **state)
{
	show(PAGE_PLAIN);
	/* Of launches 4 are 1,062 to 9,562 requests: as text "10,625" would come before "2,125". */
	assert_page(COLUMN("#launch-table", 2) HEAD(
		"#launch-table",
		2) "const numbers = () => column().map((t) => +t.replace(/,/g, ''));"
	           "head.querySelector('button').click();"
	           "const down = numbers(); head.querySelector('button').click(); const up = "
	           "numbers();"
	           "return down.length === 12 && down.every((n, i) => !i || n <= down[i - 1]) &&"
	           "  up.every((n, i) => !i || n >= up[i - 1]) && down[0] > up[0]");
	assert_page(COLUMN("#kernel-table", 0) HEAD(
		"#kernel-table",
		0) "head.querySelector('button').click();"
	           "return column().join() === 'bfs_expand_9,bfs_expand_10,matmul,scale'");
	assert_page(HEAD("#kernel-table", 0) "const before = head.getAttribute('aria-sort');"
	                                     "head.querySelector('button').click();"
	                                     "return before === 'ascending' && "
	                                     "head.getAttribute('aria-sort') === 'descending'");
	assert_page("document.querySelector('#kernel-table').tHead.rows[0].cells[2]"
	            ".querySelector('button').click();"
	            "return document.querySelectorAll('#kernel-table [aria-sort]').length === 1");
}

static void a_filter_hides_rows_and_says_how_many_are_left(void **state)
{
	show(PAGE_PLAIN);
	assert_page(COLUMN(
		"#kernel-table",
		0) "const field = document.querySelector('#filter-kernel-table');"
	           "const says = field.parentNode.querySelector('[role=status]');"
	           "const type = (text) => { field.value = text; field.dispatchEvent(new "
	           "Event('input')); };"
	           "type('BFS 10'); const one = column().join() + ' ' + says.textContent;"
	           "type('nothing'); const none = column().length + ' ' + says.textContent;"
	           "type(''); const all = column().length + ' ' + says.textContent;"
	           "return one === 'bfs_expand_10 1 of 4 rows' && none === '0 0 of 4 rows' &&"
	           "  all === '4 4 rows'");
}

static void many_launches_are_shown_one_by_one(void **state)
{
	show(PAGE_MANY);
	assert_page("const rows = document.querySelectorAll('#launch-table tbody tr');"
	            "return rows.length === 25 && rows[1].cells[0].textContent === '3' &&"
	            "  rows[1].cells[1].textContent === 'scale' && rows[1].cells[2].textContent "
	            "=== '2,125'"
	            "  && rows[1].cells[3].textContent === '1.00' && rows[1].cells[5].textContent "
	            "=== '7.0%'");
	assert_page("document.querySelector('.more').click();"
	            "return document.querySelectorAll('#launch-table tbody tr').length === 50");
	/* Launch i has 1000 (i + 1) modulo 700,001 reads: i = 6999 has 6,999,990 less 9 times that.
	 */
	assert_page(COLUMN("#launch-table", 2) HEAD(
		"#launch-table",
		2) "head.querySelector('button').click();"
	           "const all = "
	           "JSON.parse(document.getElementById('data').textContent).launches.values;"
	           "return column().length === 25 &&"
	           "  +column()[0].replace(/,/g, '') === Math.max(...all.requests)");
	assert_page(COLUMN("#launch-table",
	                   1) "const field = document.querySelector('#filter-launch-table');"
	                      "field.value = 'scale'; field.dispatchEvent(new Event('input'));"
	                      "return column().every((name) => name === 'scale') &&"
	                      "  field.parentNode.querySelector('[role=status]').textContent === "
	                      "'2,500 of 10,000 rows, 25 shown'");
}

static void the_keyboard_reaches_all_and_sorts(void **state)
{
	show(PAGE_PLAIN);
	assert_int_equal(browser_press(&browser, BROWSER_TAB), 0);
	assert_page("return document.activeElement.className === 'skip' &&"
	            "  document.activeElement.getBoundingClientRect().left >= 0");
	assert_int_equal(browser_press(&browser, BROWSER_ENTER), 0);
	assert_page(
		"return document.activeElement.id === 'overview' && location.hash === '#overview'");
	for (int i = 0; i < 2; i++)
		assert_int_equal(browser_press(&browser, BROWSER_TAB), 0);
	assert_page("return document.activeElement.id === 'filter-kernel-table'");
	assert_int_equal(browser_press(&browser, "9"), 0);
	assert_page("return document.querySelectorAll('#kernel-table tbody "
	            "tr:not([hidden])').length === 1");
	for (int i = 0; i < 2; i++)
		assert_int_equal(browser_press(&browser, BROWSER_TAB), 0);
	assert_page("return document.activeElement.tagName === 'BUTTON' &&"
	            "  getComputedStyle(document.activeElement).outlineStyle === 'solid'");
	assert_int_equal(browser_press(&browser, BROWSER_ENTER), 0);
	assert_page("return document.activeElement.closest('th').getAttribute('aria-sort') === "
	            "'ascending'");
}

static void charts_are_drawn_and_have_names(void **state)
{
	if (!html_chart_js.bytes)
		return;
	show(PAGE_PLAIN);
	assert_page("const all = [...document.querySelectorAll('canvas')];"
	            "return all.length === 2 && all.every((canvas) =>"
	            "  canvas.getAttribute('role') === 'img' && "
	            "canvas.getAttribute('aria-label').length > 20 &&"
	            "  new Set(canvas.getContext('2d').getImageData(0, 0, canvas.width, "
	            "canvas.height).data)"
	            ".size > 20)");
	assert_page(
		"return [...document.querySelectorAll('details.numbers')].every((d) => !d.open)");
}

/* Of each text the contrast with what is behind it, by WCAG 2: the least, of all that are below. */
static const char contrast[] =
	"const parse = (text) => { const n = text.match(/[\\d.]+/g).map(Number);"
	"  return n.length < 4 ? [...n, 1] : n; };"
	"const over = (a, b) => a.slice(0, 3).map((v, i) => v * a[3] + b[i] * (1 - a[3]));"
	"const ground = (e) => { const own = parse(getComputedStyle(e).backgroundColor);"
	"  return own[3] === 1 || !e.parentElement ? own.slice(0, 3) : over(own, "
	"ground(e.parentElement)); };"
	"const light = (c) => c.map((v) => v / 255).map((v) => v <= .03928 ? v / 12.92 : ((v + "
	".055) / 1.055) ** 2.4)"
	"  .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);"
	"const bad = [];"
	"for (const e of document.querySelectorAll('body *')) {"
	"  if (!e.getClientRects().length || e.closest('svg, script, canvas')) continue;"
	"  if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;"
	"  const behind = ground(e);"
	"  const a = light(over(parse(getComputedStyle(e).color), behind)), b = light(behind);"
	"  const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);"
	"  if (ratio < 4.5) bad.push(e.tagName + '.' + e.className + ' ' + ratio.toFixed(2));"
	"}"
	"return bad.length ? [...new Set(bad)] : true";

static void texts_have_contrast_in_both_schemes(void **state)
{
	static const char *const schemes[] = { "light", "dark" };

	for (size_t i = 0; i < 2; i++) {
		char media[128], name[32];

		snprintf(media, sizeof(media),
		         "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"%s\"}]}",
		         schemes[i]);
		tell("Emulation.setEmulatedMedia", media);
		show(PAGE_HOSTILE);
		assert_page(contrast);
		show(PAGE_PLAIN);
		assert_page(contrast);
		snprintf(name, sizeof(name), "%s.png", schemes[i]);
		browser_shoot(&browser, name);
	}
	assert_page(
		"return getComputedStyle(document.body).backgroundColor !== 'rgb(255, 255, 255)'");
	tell("Emulation.setEmulatedMedia", "{\"media\":\"print\",\"features\":[{\"name\":\"prefers-"
	                                   "color-scheme\",\"value\":\"dark\"}]}");
	assert_page(
		"return getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)' &&"
		"  getComputedStyle(document.querySelector('nav')).display === 'none'");
	assert_page(contrast);
	browser_shoot(&browser, "print.pdf");
	tell("Emulation.setEmulatedMedia", "{\"media\":\"\",\"features\":[]}");
}

static void a_phone_scrolls_tables_and_not_the_page(void **state)
{
	static const enum page_kind kinds[] = { PAGE_PLAIN, PAGE_HOSTILE, PAGE_MANY };

	tell("Emulation.setDeviceMetricsOverride",
	     "{\"width\":390,\"height\":844,\"deviceScaleFactor\":1,\"mobile\":true}");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		show(kinds[i]);
		if (!i)
			browser_shoot(&browser, "phone.png");
		assert_page("const wide = [...document.querySelectorAll('body *')].filter((e) =>"
		            "  !e.closest('.scroll, nav, .skip') && "
		            "e.getBoundingClientRect().right > 391)"
		            "  .map((e) => e.tagName + '.' + e.className);"
		            "return innerWidth === 390 && document.scrollingElement.scrollWidth <= "
		            "390 ?"
		            "  true : [document.scrollingElement.scrollWidth, ...new Set(wide)]");
	}
	tell("Emulation.clearDeviceMetricsOverride", "{}");
}

static void without_scripts_there_are_plain_tables(void **state)
{
	json_t *value;

	tell("Emulation.setScriptExecutionDisabled", "{\"value\":true}");
	show(PAGE_PLAIN);
	browser_shoot(&browser, "noscript.png");
	tell("Emulation.setScriptExecutionDisabled", "{\"value\":false}");
	assert_page("return document.querySelectorAll('th button, .tools, canvas').length === 0");
	assert_page("return document.querySelector('noscript p').getClientRects().length === 1");
	assert_page("return document.querySelectorAll('#launch-table tbody tr').length === 12");
	assert_page("return document.querySelector('#curve-table').closest('details').open");
	value = browser_run(&browser, "return typeof Chart");
	assert_string_equal(json_string_value(value), "undefined");
	json_decref(value);
}

/* False where it does not start, however often it is asked: containers may forbid what it needs. */
static bool open_browser(void)
{
	enum { TRIES = 3 };

	for (int i = 0; i < TRIES; i++) {
		if (!browser_open(&browser))
			return true;
		browser_close(&browser);
	}
	return false;
}

static int close_browser(void **state)
{
	browser_close(&browser);
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_load_without_a_word_on_the_console),
		cmocka_unit_test(what_is_not_ours_neither_runs_nor_loads),
		cmocka_unit_test(hostile_texts_stay_texts),
		cmocka_unit_test(ids_are_unique_and_links_lead_to_them),
		cmocka_unit_test(headings_sort_numbers_as_numbers_and_names_as_names),
		cmocka_unit_test(a_filter_hides_rows_and_says_how_many_are_left),
		cmocka_unit_test(many_launches_are_shown_one_by_one),
		cmocka_unit_test(the_keyboard_reaches_all_and_sorts),
		cmocka_unit_test(charts_are_drawn_and_have_names),
		cmocka_unit_test(texts_have_contrast_in_both_schemes),
		cmocka_unit_test(a_phone_scrolls_tables_and_not_the_page),
		cmocka_unit_test(without_scripts_there_are_plain_tables),
	};

	if (!browser_is_there()) {
		puts("skipped: Chromium and ChromeDriver (chromium, chromium-driver) are not "
		     "there");
		return SKIPPED;
	}
	alarm(LIMIT_SECONDS);
	if (!open_browser()) {
		puts("skipped: Chromium is there and does not start");
		return SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, close_browser);
}
