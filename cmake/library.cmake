# libpdvc.so: the public interface, with everything beneath it inside and out of sight.
folder_sources(interface_sources interface)
add_library(pdvc_interface OBJECT ${interface_sources})
target_include_directories(pdvc_interface PUBLIC include)
target_link_libraries(pdvc_interface PUBLIC pdvc)
set_target_properties(pdvc_interface PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)

set(exports "${CMAKE_SOURCE_DIR}/cmake/exports.map")
add_library(pdvc_shared SHARED)
add_library(pdvc::pdvc ALIAS pdvc_shared)
target_include_directories(pdvc_shared INTERFACE "$<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>")
target_link_libraries(pdvc_shared PRIVATE pdvc_interface)
target_compile_features(pdvc_shared INTERFACE cxx_std_17)
# As needed: what the command line reads beyond models (video, HDF5) is no part of it.
target_link_options(pdvc_shared PRIVATE "LINKER:--version-script=${exports}" LINKER:--as-needed)
# Before 1.0 any minor version may change the binary interface.
set_target_properties(pdvc_shared PROPERTIES
  LINKER_LANGUAGE CXX OUTPUT_NAME pdvc EXPORT_NAME pdvc LINK_DEPENDS "${exports}"
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  INSTALL_RPATH "$ORIGIN/pdvc")
