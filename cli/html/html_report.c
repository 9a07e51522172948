/* SPDX-License-Identifier: Apache-2.0 */
#include "html_report.h"

#include "html_order.h"
#include "html_page.h"
#include "out_file.h"
#include "player.h"
#include "report_data.h"

int html_report_write(const struct report_data *d, const char *file, bool is_quiet, struct err *err)
{
	struct html_order order;
	const struct html_page page = { .data = d, .gpu = &d->setup->gpu, .order = &order };
	struct out_file out = { 0 };
	int ret = html_order_make(&order, d, is_quiet, err);

	if (!ret)
		ret = out_file_open(&out, file, err);
	if (!ret)
		ret = html_page_write(&page, out.stream, err);
	if (!ret)
		ret = out_file_end(&out, err);
	out_file_release(&out);
	html_order_release(&order);
	return ret;
}
