# How everything is compiled: C++20, warnings as errors, quick tools where they are at hand.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(project_options INTERFACE)
target_compile_options(project_options INTERFACE -Wall -Wextra -Wpedantic -Wno-missing-field-initializers -Werror)
# g++ 12 sees overlapping copies in std::string that are not there (GCC bug 105651).
target_compile_options(project_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local -Wno-restrict>)

# Nobody reads errno after sqrt; with it, loops over sqrt do not become vector code.
target_compile_options(project_options INTERFACE -fno-math-errno)

find_program(MOLD mold)
if(MOLD)
  target_link_options(project_options INTERFACE -fuse-ld=mold)
endif()

if(PDVC_SANITIZE)
  add_compile_options(-fsanitize=${PDVC_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${PDVC_SANITIZE})
endif()

# A file that includes Torch takes over a gigabyte to compile: as many at once as the memory holds.
cmake_host_system_information(RESULT memory_mb QUERY TOTAL_PHYSICAL_MEMORY)
math(EXPR torch_jobs "${memory_mb} / 2500")
if(torch_jobs LESS 1)
  set(torch_jobs 1)
endif()
set_property(GLOBAL PROPERTY JOB_POOLS torch=${torch_jobs})
