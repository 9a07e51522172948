# Run by cpack once the files of all packages are in place: adds the files that Debian requires in each.
if(NOT CPACK_GENERATOR STREQUAL DEB)
    return()
endif()
get_filename_component(packaging "${CMAKE_CURRENT_LIST_DIR}" ABSOLUTE)

# The time of the last change, so that the packages of one source are reproducible; else that of the
# build.
if(DEFINED ENV{SOURCE_DATE_EPOCH})
    set(date_of --date=@$ENV{SOURCE_DATE_EPOCH})
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C date -u ${date_of} +%a,\ %d\ %b\ %Y\ %T\ +0000
    OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE)
set(changelog "warpline (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * New version: /usr/share/doc/warpline/changelog.gz says what it brings.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")

function(compress file)
    execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
    file(CHMOD ${file}.gz PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endfunction()

# What the binaries of a component need: "libc6 (>= 2.34), ...". In ${out}.
function(find_libraries component out)
    set(work ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/../shlibdeps)
    file(MAKE_DIRECTORY ${work}/debian)
    file(WRITE ${work}/debian/control "Source: warpline\nPackage: warpline\nArchitecture: any\n")
    execute_process(COMMAND sh -c "find \"$1\" -type f -exec sh -c 'head -c4 \"$1\" | grep -q ELF' - {} \\; -print"
        - ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component} OUTPUT_VARIABLE files
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "\n" ";" files "${files}")
    execute_process(COMMAND dpkg-shlibdeps -O ${files} WORKING_DIRECTORY ${work}
        OUTPUT_VARIABLE found ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE "^shlibs:Depends=" "" found "${found}")
    set(${out} "${found}" PARENT_SCOPE)
endfunction()

find_libraries(program libraries)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "${CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS}, ${libraries}")
find_libraries(library libraries)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "${libraries}")
# It would stand before each package's own.
unset(CPACK_PACKAGE_DESCRIPTION_SUMMARY)

foreach(component ${CPACK_COMPONENTS_ALL})
    string(TOUPPER ${component} upper)
    set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr)
    set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    set(doc ${root}/share/doc/${package})
    file(MAKE_DIRECTORY ${doc})
    file(COPY ${packaging}/copyright DESTINATION ${doc}
        FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
    file(WRITE ${doc}/changelog.Debian "${changelog}")
    compress(${doc}/changelog.Debian)
    if(component STREQUAL program)
        # Debian has the licence elsewhere, and this name for the changes.
        file(REMOVE ${doc}/LICENSE)
        file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
        compress(${doc}/changelog)
        file(RENAME ${root}/share/zsh/site-functions ${root}/share/zsh/vendor-completions)
    elseif(component STREQUAL development)
        file(RENAME ${root}/share/doc/warpline/examples ${doc}/examples)
        file(REMOVE_RECURSE ${root}/share/doc/warpline)
        # There it stays, and /usr/include is known to be no place to be named.
        execute_process(COMMAND sh -c "sed -i 's|^prefix=.*|prefix=/usr|' '${root}'/lib/*/pkgconfig/*.pc"
            COMMAND_ERROR_IS_FATAL ANY)
    endif()
    execute_process(COMMAND chmod -R u=rwX,go=rX ${root})
endforeach()
