# Pages: report --html. Style, script and, where it is installed, Chart.js are put into the program.
target_include_directories(cli PUBLIC ${CMAKE_CURRENT_LIST_DIR})
find_file(CHART_JS chart.min.js PATHS /usr/share/javascript/chart.js /usr/share/nodejs/chart.js/dist
    NO_DEFAULT_PATH DOC "Chart.js 3, for the charts of report --html")
set(chart_js none)
if(CHART_JS)
    file(STRINGS ${CHART_JS} chart_version LIMIT_COUNT 2 REGEX "Chart\\.js v3\\.")
    if(chart_version)
        set(chart_js ${CHART_JS})
    endif()
endif()
if(chart_js STREQUAL none)
    message(STATUS "Chart.js 3 (libjs-chart.js) is not there: report --html has tables, no charts")
endif()
set(html_dir ${CMAKE_CURRENT_LIST_DIR})
set(html_files ${html_dir}/page.css ${html_dir}/page.js ${chart_js})
string(REPLACE ";none" "" html_inputs "${html_files}")
add_custom_command(OUTPUT html_assets.c
    COMMAND ${CMAKE_COMMAND} -DOUT=html_assets.c "-DNAMES=page_css;page_js;chart_js" "-DFILES=${html_files}"
        -P ${html_dir}/embed.cmake
    DEPENDS ${html_inputs} ${html_dir}/embed.cmake VERBATIM)
target_sources(cli PRIVATE html_assets.c
    html/html_classes.c html/html_counters.c html/html_curve.c html/html_kernels.c html/html_launches.c html/html_lines.c
    html/html_machine.c html/html_memory.c html/html_order.c html/html_overview.c html/html_page.c
    html/html_panels.c html/html_report.c html/html_source.c html/html_table.c html/html_terms.c
    html/html_text.c)
