# find_package(pdvc): the library as pdvc::pdvc. It needs nothing else to compile or link against.
include("${CMAKE_CURRENT_LIST_DIR}/pdvcTargets.cmake")
