# What `cmake --install` installs, and where. The prefix is not compiled in: bin/warpline, the library
# and the files of pkg-config and CMake find everything relative to their own place. Components are
# Debian's packages.
set(doc_dir ${CMAKE_INSTALL_DATADIR}/doc/warpline)

install(TARGETS warpline RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(TARGETS warpline-instrument RUNTIME DESTINATION lib/warpline COMPONENT program)
install(TARGETS warpline_recorder warpline_cuda_recorder LIBRARY DESTINATION lib/warpline
    COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/gpus DESTINATION ${CMAKE_INSTALL_DATADIR}/warpline
    COMPONENT data FILES_MATCHING PATTERN "*.conf")
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${doc_dir} COMPONENT program)
install(DIRECTORY docs/ DESTINATION ${doc_dir}/docs COMPONENT program
    FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.json" PATTERN "examples" EXCLUDE
    PATTERN "man" EXCLUDE PATTERN "completions" EXCLUDE)
install(DIRECTORY bench/ DESTINATION ${doc_dir}/bench COMPONENT program
    FILES_MATCHING PATTERN "RESULTS.md" PATTERN "apps" EXCLUDE)
install(FILES docs/examples/transpose.cu DESTINATION ${doc_dir}/examples COMPONENT program)

# CUDA programs without a GPU: our libraries in front of NVIDIA's, and headers without a toolkit. No
# program is linked with them by chance: they lie where no linker looks.
get_property(cuda_libraries GLOBAL PROPERTY CUDA_LIBRARIES)
foreach(target ${cuda_libraries} warpline_cudart)
    if(TARGET ${target})
        install(TARGETS ${target} LIBRARY DESTINATION lib/warpline/cuda COMPONENT program)
    endif()
endforeach()
install(DIRECTORY cuda/include DESTINATION ${CMAKE_INSTALL_DATADIR}/warpline/cuda COMPONENT program)
install(FILES trace/FORMAT.md DESTINATION ${doc_dir}/trace COMPONENT program)

# Pages of the manual are read from compressed files.
find_program(GZIP gzip REQUIRED)
file(GLOB pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/docs/man
    ${PROJECT_SOURCE_DIR}/docs/man/*.1)
foreach(page ${pages})
    set(compressed ${CMAKE_BINARY_DIR}/man/${page}.gz)
    add_custom_command(OUTPUT ${compressed}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/man
        COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/docs/man/${page} ${CMAKE_BINARY_DIR}/man
        COMMAND ${GZIP} -9nf ${CMAKE_BINARY_DIR}/man/${page}
        DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/${page} VERBATIM)
    list(APPEND compressed_pages ${compressed})
endforeach()
add_custom_target(manual_pages ALL DEPENDS ${compressed_pages})
install(FILES ${compressed_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)

set(completions ${PROJECT_SOURCE_DIR}/docs/completions)
install(FILES ${completions}/warpline.bash RENAME warpline COMPONENT program
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completions}/_warpline COMPONENT program
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${completions}/warpline.fish COMPONENT program
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# The library.
install(TARGETS warpline_replay EXPORT replay
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
    NAMELINK_COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/libwarpline-replay.a DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT development)
install(FILES api/warpline_replay.h api/warpline_replay_error.h api/warpline_replay_rows.h
    api/warpline_replay_columns.def api/warpline_replay_settings.def
    ${CMAKE_BINARY_DIR}/api/warpline_replay_version.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(FILES docs/examples/replay_lines.c docs/examples/CMakeLists.txt
    DESTINATION ${doc_dir}/examples COMPONENT development)

file(RELATIVE_PATH prefix_from_pc "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
configure_file(packaging/warpline-replay.pc.in ${CMAKE_BINARY_DIR}/warpline-replay.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/warpline-replay.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/warpline-replay)
install(EXPORT replay NAMESPACE warpline:: FILE warpline-replay-config.cmake
    DESTINATION ${config_dir} COMPONENT development)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/warpline-replay-config-version.cmake
    COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/warpline-replay-config-version.cmake
    DESTINATION ${config_dir} COMPONENT development)
