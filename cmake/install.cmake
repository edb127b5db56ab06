# cmake --install: binary, man page, completion, the library for C++ programs, and the oneDNN that set-up fetched.
install(TARGETS pdvc_binary RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(PDVC_TRAINER)
  install(TARGETS pdvc_train_binary RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(ONEDNN_BUNDLED)
  install(FILES "${CMAKE_SOURCE_DIR}/.deps/onednn-2023.2.0/lib/libdnnl.so.3"
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pdvc PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endif()

install(TARGETS pdvc_video pdvc_hdf5 LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/pdvc)

# find_package(pdvc) finds these.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/pdvc)
include(CMakePackageConfigHelpers)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/generated/pdvcConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(TARGETS pdvc_shared EXPORT pdvcTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT pdvcTargets NAMESPACE pdvc:: DESTINATION ${package_folder})
install(FILES cmake/pdvcConfig.cmake "${CMAKE_BINARY_DIR}/generated/pdvcConfigVersion.cmake" DESTINATION ${package_folder})
install(FILES include/pdvc/pdvc.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pdvc)

# Both come from the same list of commands and options as --help, so they cannot fall behind.
set(manual "${CMAKE_BINARY_DIR}/generated/pdvc.1")
set(completion "${CMAKE_BINARY_DIR}/generated/pdvc.bash")
add_custom_command(OUTPUT "${manual}" "${completion}"
  COMMAND pdvc_binary --manual > "${manual}"
  COMMAND pdvc_binary --completion > "${completion}"
  DEPENDS pdvc_binary VERBATIM)
add_custom_target(manual ALL DEPENDS "${manual}" "${completion}")
install(FILES "${manual}" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES "${completion}" DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME pdvc)
install(FILES share/pdvc/kinetics400.txt share/pdvc/imagenet1k.txt share/pdvc/shapes.safetensors DESTINATION ${CMAKE_INSTALL_DATADIR}/pdvc)
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
