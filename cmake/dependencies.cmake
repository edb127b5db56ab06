# Libraries, all from Debian's packages but oneDNN (see tools/setup).
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)

# Its headers are other people's: no warnings from them.
function(import_pkg_config target)
  pkg_check_modules(${target} REQUIRED IMPORTED_TARGET ${ARGN})
  add_library(${target} INTERFACE)
  target_link_libraries(${target} INTERFACE PkgConfig::${target})
endfunction()

import_pkg_config(hdf5 hdf5)
import_pkg_config(highway libhwy)
import_pkg_config(ffmpeg libavformat libavcodec libavutil libswscale)

# Snowball's stemmers come without pkg-config or CMake files.
find_path(STEMMER_INCLUDE libstemmer.h REQUIRED)
find_library(STEMMER_LIBRARY stemmer REQUIRED)
add_library(stemmer INTERFACE)
target_include_directories(stemmer SYSTEM INTERFACE "${STEMMER_INCLUDE}")
target_link_libraries(stemmer INTERFACE "${STEMMER_LIBRARY}")

# oneDNN 3.2 by tools/setup, else the system's. Plain library and headers: its find_package asks for OpenCL.
find_path(ONEDNN_INCLUDE oneapi/dnnl/dnnl.h PATHS "${CMAKE_SOURCE_DIR}/.deps/onednn-2023.2.0/include" NO_DEFAULT_PATH)
find_library(ONEDNN_LIBRARY dnnl PATHS "${CMAKE_SOURCE_DIR}/.deps/onednn-2023.2.0/lib" NO_DEFAULT_PATH)
set(ONEDNN_BUNDLED ON)
if(NOT ONEDNN_INCLUDE OR NOT ONEDNN_LIBRARY)
  unset(ONEDNN_INCLUDE CACHE)
  unset(ONEDNN_LIBRARY CACHE)
  find_path(ONEDNN_INCLUDE oneapi/dnnl/dnnl.h REQUIRED)
  find_library(ONEDNN_LIBRARY dnnl REQUIRED)
  set(ONEDNN_BUNDLED OFF)
endif()
add_library(onednn INTERFACE)
target_include_directories(onednn SYSTEM INTERFACE "${ONEDNN_INCLUDE}")
target_link_libraries(onednn INTERFACE "${ONEDNN_LIBRARY}")
