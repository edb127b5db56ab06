# A header with the version and the commit, written anew only when they change.
set(version_folder "${CMAKE_BINARY_DIR}/generated")
add_custom_target(write_version
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUTPUT=${version_folder}/version_numbers.h
          -DVERSION=${PROJECT_VERSION} -P "${CMAKE_SOURCE_DIR}/cmake/write_version.cmake"
  BYPRODUCTS "${version_folder}/version_numbers.h"
  VERBATIM)
add_library(version_header INTERFACE)
target_include_directories(version_header INTERFACE "${version_folder}")
add_dependencies(version_header write_version)
