/* What the page can do beyond being read: tables that sort and filter, launches one by one, charts.
   It asks no network, keeps nothing, and makes no markup of texts (only textContent). */
"use strict";
(function () {
	const byId = (id) => document.getElementById(id);
	const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));

	function make(tag, properties, ...children) {
		const element = document.createElement(tag);
		for (const [name, value] of Object.entries(properties || {}))
			if (name in element) element[name] = value;
			else element.setAttribute(name, value);
		element.append(...children);
		return element;
	}

	const collator = new Intl.Collator("en", { numeric: true });
	const grouped = new Intl.NumberFormat("en-US");
	const count = (n) => grouped.format(n);
	const share = (part, whole) => (whole ? (100 * part / whole).toFixed(1) + "%" : "\u2013");

	/* 1,234 and 56.7% as numbers; a dash, which says that there is none, comes last. */
	function numberIn(text) {
		const n = parseFloat(text.replace(/,/g, ""));
		return Number.isNaN(n) ? -Infinity : n;
	}

	/* Headings become buttons; `sort(column, isNumber, sign)` puts the rows in order. */
	function addSorting(table, sort) {
		if (table.tBodies[0].rows.length < 2) return;
		table.classList.add("on");
		const heads = all("thead th", table);
		heads.forEach((head, column) => {
			const label = head.querySelector(".h");
			if (!label) return;
			const button = make("button", { type: "button" });
			button.append(...label.childNodes);
			label.replaceWith(button);
			const isNumber = !head.classList.contains("t");
			button.addEventListener("click", () => {
				const was = head.getAttribute("aria-sort");
				const first = isNumber ? "descending" : "ascending";
				const other = isNumber ? "ascending" : "descending";
				const now = was === first ? other : first;
				heads.forEach((h) => h.removeAttribute("aria-sort"));
				head.setAttribute("aria-sort", now);
				sort(column, isNumber, now === "ascending" ? 1 : -1);
			});
		});
	}

	function sortRows(body, column, isNumber, sign) {
		const rows = Array.from(body.rows).map((row, index) => {
			const text = row.cells[column].textContent;
			return { row, index, key: isNumber ? numberIn(text) : text };
		});
		rows.sort((a, b) => {
			if (isNumber && a.key === b.key) return a.index - b.index;
			if (isNumber) return sign * (a.key - b.key) || a.index - b.index;
			return sign * collator.compare(a.key, b.key) || a.index - b.index;
		});
		body.append(...rows.map((r) => r.row));
	}

	/* A field above a table; `filter(words)` says how many rows of how many are left, and are shown. To
	   be called again when that changes. */
	function addFilter(table, label, filter) {
		const id = "filter-" + table.id;
		const input = make("input", { type: "search", id, autocomplete: "off", spellcheck: false });
		const says = make("span", { role: "status", className: "soft" });
		const apply = () => {
			const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
			const [left, of, shown] = filter(words);
			says.textContent = (words.length ? `${count(left)} of ` : "") + `${count(of)} rows` +
				(shown < left ? `, ${count(shown)} shown` : "");
		};
		input.addEventListener("input", apply);
		table.closest(".scroll").before(make("div", { className: "tools" },
			make("label", { htmlFor: id }, label), input, says));
		apply();
		return apply;
	}

	const hasAll = (text, words) => words.every((word) => text.includes(word));

	/* What is not a number in a row. */
	const namesIn = (row) => all(".t", row).map((cell) => cell.textContent).join(" ").toLowerCase();

	function enhance(table) {
		const body = table.tBodies[0];
		addSorting(table, (column, isNumber, sign) => sortRows(body, column, isNumber, sign));
		if (table.dataset.filter && body.rows.length > 1)
			addFilter(table, table.dataset.filter, (words) => {
				let left = 0;
				for (const row of body.rows) {
					row.hidden = !hasAll(namesIn(row), words);
					left += !row.hidden;
				}
				return [left, body.rows.length, left];
			});
	}

	/* All launches, of which the table at first has sums: lists of numbers, a page at a time. A
	   column is [kind, list] or [kind, part, whole]. */
	function showLaunches(table, { kernels, columns, values }) {
		const body = table.tBodies[0], atOnce = 25;
		const names = kernels.map((name) => name.toLowerCase());
		const order = values.number.map((_, i) => i);
		let words = [], limit = atOnce;
		const key = ([, part, whole], row) => {
			if (!whole) return values[part][row];
			return values[whole][row] ? values[part][row] / values[whole][row] : -Infinity;
		};
		const texts = {
			name: (of, row) => String(key(of, row)),
			kernel: (of, row) => kernels[key(of, row)],
			count: (of, row) => count(key(of, row)),
			share: (of, row) => share(values[of[1]][row], values[of[2]][row]),
			ratio: (of, row) => (values[of[2]][row] ? key(of, row).toFixed(2) : "\u2013"),
		};
		const makeRow = (row) => make("tr", {}, ...columns.map((of, at) => (at
			? make("td", { className: of[0] === "kernel" ? "t" : "" }, texts[of[0]](of, row))
			: make("th", { scope: "row" }, texts[of[0]](of, row)))));
		const fits = (row) => hasAll(names[values.kernel[row]] + " " + values.number[row], words);
		const more = make("button", { type: "button", className: "more" });
		const draw = () => {
			const rows = order.filter(fits);
			body.replaceChildren(...rows.slice(0, limit).map(makeRow));
			more.hidden = rows.length <= limit;
			more.textContent = `Show ${count(Math.min(atOnce, rows.length - limit))} more of ${count(rows.length)}`;
			return [rows.length, order.length, Math.min(rows.length, limit)];
		};
		table.closest(".scroll").after(more);
		const apply = addFilter(table, table.dataset.filter, (now) => { words = now; return draw(); });
		more.addEventListener("click", () => { limit += atOnce; apply(); });
		addSorting(table, (column, isNumber, sign) => {
			const of = columns[column];
			order.sort((a, b) => {
				const x = key(of, a), y = key(of, b);
				if (!isNumber) return sign * collator.compare(kernels[x], kernels[y]) || a - b;
				return x === y ? a - b : sign * (x < y ? -1 : 1);
			});
			limit = atOnce;
			apply();
		});
	}

	/* Charts, of the numbers in their tables; for paper in the colours of paper. */
	const charts = [];
	function colours() {
		const style = getComputedStyle(document.documentElement);
		return (name) => style.getPropertyValue("--" + name).trim();
	}
	const column = (table, index) => all("tbody tr", table).map((row) => row.cells[index].textContent);

	function axis(title, colour, more) {
		return Object.assign({
			title: { display: true, text: title, color: colour("soft"), font: { size: 12 } },
			ticks: { color: colour("soft"), maxRotation: 0, autoSkipPadding: 16 },
			grid: { color: colour("rule"), borderColor: colour("soft") },
		}, more);
	}

	function basics(colour, isKeyed) {
		return {
			animation: false, responsive: true, maintainAspectRatio: false,
			interaction: { mode: "index", intersect: false },
			plugins: { legend: { display: isKeyed, align: "start", labels: { color: colour("ink"), usePointStyle: true, boxWidth: 8, boxHeight: 8 } } },
		};
	}

	/* A line through a chart at the size of the L1 that was played, and its name. */
	const ownMark = (lines, colour) => ({
		id: "own",
		afterDatasetsDraw({ ctx, chartArea, scales }) {
			const x = scales.x.getPixelForValue(lines), isRight = x > chartArea.left + 0.8 * chartArea.width;
			ctx.save();
			ctx.strokeStyle = ctx.fillStyle = colour("ink");
			ctx.lineWidth = 1.5;
			ctx.strokeRect(x, chartArea.top, 0, chartArea.height);
			ctx.font = "600 12px system-ui, sans-serif";
			ctx.textAlign = isRight ? "right" : "left";
			const at = ["this L1", x + (isRight ? -6 : 6), chartArea.top + 16];
			ctx.lineWidth = 5;
			ctx.lineJoin = "round";
			ctx.strokeStyle = colour("ground");
			ctx.strokeText(...at);
			ctx.fillText(...at);
			ctx.restore();
		},
	});

	const makers = {
		curve(table, colour) {
			const kinds = [["link", [], "circle"], ["mark-rule", [6, 4], "rect"]];
			const lines = column(table, 0).map(numberIn);
			const highest = Math.max(...column(table, 2).map(numberIn), ...column(table, 3).map(numberIn));
			const own = all("tbody tr", table).findIndex((row) => row.dataset.own);
			const options = basics(colour, true);
			options.scales = {
				x: axis(table.dataset.x, colour, { type: "logarithmic", min: Math.min(...lines), max: Math.max(...lines) }),
				y: axis(table.dataset.y, colour, { min: 0, max: highest > 80 ? 100 : undefined, suggestedMax: 10 }),
			};
			options.scales.x.ticks.callback = (value) => (Number.isInteger(Math.log2(value)) ? count(value) : "");
			options.scales.x.afterBuildTicks = (scale) => {
				scale.ticks = [];
				for (let n = 1; n <= scale.max; n *= 2) if (n >= scale.min) scale.ticks.push({ value: n });
			};
			options.scales.y.ticks.callback = (value) => value + "%";
			options.plugins.tooltip = { callbacks: {
				title: (items) => count(items[0].parsed.x) + " " + table.dataset.unit,
				label: (item) => `${item.dataset.label}: ${item.parsed.y.toFixed(1)}%`,
			} };
			const mark = own < 0 ? [] : [ownMark(lines[own], colour)];
			return { type: "line", options, plugins: mark, data: { datasets: all("thead th", table).slice(2, 4).map((head, i) => ({
				label: head.querySelector("button, .h").textContent,
				data: column(table, i + 2).map((text, at) => ({ x: lines[at], y: numberIn(text) })),
				borderColor: colour(kinds[i][0]), backgroundColor: colour(kinds[i][0]), borderDash: kinds[i][1],
				pointStyle: kinds[i][2], borderWidth: 2, pointRadius: lines.length > 40 ? 0 : 3, pointHoverRadius: 6,
			})).map((set) => ({ ...set, data: set.data.filter((point) => Number.isFinite(point.y)) })) } };
		},
		reuse(table, colour) {
			const options = basics(colour, false);
			options.scales = { x: axis(table.dataset.x, colour), y: axis(table.dataset.y, colour, { beginAtZero: true }) };
			options.scales.y.ticks.callback = (value) => value + "%";
			const counts = column(table, 1);
			options.plugins.tooltip = { callbacks: { label: (item) => `${item.parsed.y}% (${counts[item.dataIndex]} lines)` } };
			return { type: "bar", options, data: { labels: column(table, 0), datasets: [{
				label: table.dataset.y, data: column(table, 2).map(numberIn),
				backgroundColor: colour("low"), maxBarThickness: 56,
			}] } };
		},
	};

	function drawCharts() {
		const colour = colours();
		charts.splice(0).forEach((chart) => chart.destroy());
		for (const figure of all("figure[data-chart]")) {
			const table = byId(figure.dataset.table);
			const box = figure.querySelector(".chart");
			box.hidden = false;
			box.replaceChildren(make("canvas", { role: "img", "aria-label": figure.dataset.label }));
			charts.push(new Chart(box.firstChild, makers[figure.dataset.chart](table, colour)));
		}
	}

	function start() {
		const data = JSON.parse(byId("data").textContent);
		all("table.sorts").forEach((table) => {
			if (data.launches && table.id === "launch-table") showLaunches(table, data.launches);
			else enhance(table);
		});
		all("[data-script=without]").forEach((element) => { element.hidden = true; });
		all("details[data-script=closes]").forEach((details) => { details.open = false; });
		if (typeof Chart === "undefined") return;
		drawCharts();
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawCharts);
		matchMedia("print").addEventListener("change", drawCharts);
		addEventListener("beforeprint", () => {
			all("details.numbers").forEach((d) => { d.open = true; });
			charts.forEach((chart) => chart.resize());
		});
	}
	start();
})();
