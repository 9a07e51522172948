# Debian packages: `cpack -G DEB` in a build folder. The program, its data, the library and the
# development files are separate packages, as is usual in Debian.
#
#     warpline                 the program, the recorder, the instrumenter, the manual
#     warpline-data            descriptions of GPUs, for the program and the library
#     libwarpline-replay1      the library
#     libwarpline-replay-dev   headers, archive, pkg-config, CMake, an example
set(CPACK_GENERATOR TGZ) # without -G: one archive of all, for systems that are not Debian
set(CPACK_PACKAGE_NAME warpline)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "Warpline")
set(CPACK_PACKAGE_CONTACT "Warpline maintainers <maintainers@warpline.example>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_RESOURCE_FILE_README ${PROJECT_SOURCE_DIR}/README.md)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian_files.cmake)
set(CPACK_COMPONENTS_ALL program data library development)

# The version names the system that the packages are for, and sorts before that of a Debian package.
set(release 1)
if(EXISTS /etc/os-release)
    file(STRINGS /etc/os-release system REGEX "^(ID|VERSION_ID)=")
    string(REGEX REPLACE ".*VERSION_ID=\"?([0-9.]+).*" "\\1" system_version "${system}")
    string(REGEX REPLACE ".*;?ID=([a-z]+).*" "\\1" system_name "${system}")
    if(system_version MATCHES "^[0-9.]+$" AND system_name MATCHES "^[a-z]+$")
        set(release 1~${system_name}${system_version})
    endif()
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${release})
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(same "(= ${PROJECT_VERSION}-${release})")

# clang compiles kernels, with its headers; the loader has the layer that records; POCL is the device that every
# machine can have. Libraries come in debian_files.cmake.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME warpline)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "warpline-data ${same}, clang-${WARPLINE_LLVM}")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "ocl-icd-libopencl1 (>= 2.3.0), pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "gnuplot-nox | gnuplot, llvm-spirv-${WARPLINE_LLVM}")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "records memory accesses of GPU programs and replays them in GPU order
Every access that an unmodified OpenCL or CUDA program makes to global memory
is recorded, without loss, on any OpenCL device, a CPU included. It is replayed
offline in the order in which a GPU's warps would have made it, through a
model of that GPU's caches, which says which source line misses, how often
and why.")

set(CPACK_DEBIAN_DATA_PACKAGE_NAME warpline-data)
set(CPACK_DEBIAN_DATA_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DATA_DESCRIPTION "descriptions of GPUs for Warpline
Geometry, policies and latencies of the caches of GPUs, with where each figure
comes from, as Warpline and libwarpline-replay read them.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libwarpline-replay${REPLAY_SOVERSION})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
# cpack's own way to both runs ldconfig from scripts, which Debian does by a trigger.
file(WRITE ${CMAKE_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
file(WRITE ${CMAKE_BINARY_DIR}/debian/shlibs "libwarpline-replay ${REPLAY_SOVERSION} \
libwarpline-replay${REPLAY_SOVERSION} (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA
    "${CMAKE_BINARY_DIR}/debian/triggers;${CMAKE_BINARY_DIR}/debian/shlibs")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "warpline-data")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "replays recordings of GPU programs' memory accesses
What Warpline recorded of an OpenCL program is played through a model of a
GPU's caches, and counted by launch, source line, buffer and request. This is
the library, for programs that are linked with it.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libwarpline-replay-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libwarpline-replay${REPLAY_SOVERSION} ${same}, libzstd-dev, libxxhash-dev, libjansson-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "replays recordings of GPU programs - for development
Headers, archive and an example of libwarpline-replay, by which programs play
what Warpline recorded through a model of a GPU's caches.")
include(CPack)
