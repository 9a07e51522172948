# cmake -DCLANG=PROGRAM -DHEADERS=FOLDER -DWORDS=FILE.def -DOUT=FILE.h -P language_names.cmake: writes
# the rows of language_names.c, from clang: its macros in every version of OpenCL C, the macros and
# functions of its headers, and the words of a list.
set(known)
set(rows)

# Add names that are new, with a row of this kind for each.
function(add_names kind)
    set(fresh ${ARGN})
    list(SORT fresh)
    list(REMOVE_DUPLICATES fresh)
    list(REMOVE_ITEM fresh ${known} "")
    foreach(name ${fresh})
        # Limits and formats of types: asked for if the source uses them.
        set(is_asked true)
        if(name MATCHES "_FMT.__$|_(FAST|LEAST)[0-9]+_")
            set(is_asked false)
        endif()
        list(APPEND rows "{ \"${name}\", LANGUAGE_${kind}, ${is_asked} }")
    endforeach()
    set(known ${known} ${fresh} PARENT_SCOPE)
    set(rows ${rows} PARENT_SCOPE)
endfunction()

# The names in the lines of `text` that match; the name is the first group.
function(match_names out text pattern)
    string(REGEX MATCHALL "[^\n]+" lines "${text}")
    set(names)
    foreach(line ${lines})
        if(line MATCHES "${pattern}")
            list(APPEND names ${CMAKE_MATCH_1})
        endif()
    endforeach()
    set(${out} ${names} PARENT_SCOPE)
endfunction()

# CMake's lists cannot contain these characters.
function(read_text out file)
    file(READ ${file} text)
    string(REGEX REPLACE "[][;\\\\]" " " text "${text}")
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

set(dump)
foreach(standard CL1.0 CL1.1 CL1.2 CL2.0 CL3.0)
    foreach(more -w -cl-fast-relaxed-math -cl-opt-disable)
        execute_process(COMMAND ${CLANG} -x cl -target spir64-unknown-unknown -cl-std=${standard} ${more}
                -dM -E -
            INPUT_FILE /dev/null OUTPUT_VARIABLE part COMMAND_ERROR_IS_FATAL ANY)
        string(REGEX REPLACE "[][;\\\\]" " " part "${part}")
        string(APPEND dump "${part}")
    endforeach()
endforeach()
read_text(words ${WORDS})
read_text(base ${HEADERS}/opencl-c-base.h)
read_text(functions ${HEADERS}/opencl-c.h)

match_names(names "${words}" "^WORD.([A-Za-z_0-9]+)")
add_names(WORD ${names})
# What programs test, and no code of the headers needs. One is internal to clang, whose functions depend on it.
match_names(names "${base}${functions}" "^ *# *define +((cl|cles|__opencl_c|CL_VERSION|FP_FAST)_[A-Za-z_0-9]+|CLK_[A-Z_0-9]+_EXT)([^A-Za-z_0-9]|$)")
list(REMOVE_ITEM names __opencl_c_named_address_space_builtins)
# Like CLK_..._EXT, the last ones are in clang's newer headers only.
add_names(EXACT ${names} CLK_UNORM_INT_101010_2 __half)
match_names(names "${base}${functions}" "^ *# *define +([A-Za-z_0-9]+)")
add_names(VALUE ${names})
match_names(names "${dump}" "^#define ([A-Za-z_0-9]+)")
add_names(EXACT ${names})
match_names(names "${functions}" "__ovld.*[ *]([A-Za-z_0-9]+)\\(")
add_names(FUNCTION ${names} printf enqueue_kernel enqueue_marker get_pipe_num_packets get_pipe_max_packets
    read_pipe write_pipe reserve_read_pipe reserve_write_pipe commit_read_pipe commit_write_pipe
    to_global to_local to_private vec_step)

list(SORT rows)
list(JOIN rows ",\n" rows)
file(WRITE ${OUT} "${rows},\n")
