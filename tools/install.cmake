# cmake --install: headers, libraries and the program; packages for find_package(gcnh) and pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Headers that show types of another library are ours alone: those with JSON, TOML or vectors in them.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/gcnh/*.h)
foreach(header ${headers})
  file(STRINGS ${header} json REGEX "#include <(nlohmann|toml\\+\\+|hwy)/")
  if(json)
    list(REMOVE_ITEM headers ${header})
  endif()
endforeach()
set(core_headers ${headers})
list(FILTER core_headers EXCLUDE REGEX "/gcnh/(study|report|paper)/|/gcnh/studies\\.h$")
set(study_headers ${headers})
list(REMOVE_ITEM study_headers ${core_headers})

# With static libraries a program links what they use; shared ones know it themselves.
set(core_requires "")
set(core_libraries "")
if(NOT BUILD_SHARED_LIBS)
  set(core_requires "fmt libarchive libhwy liblzma libzip sqlite3 tomlplusplus zlib")
  set(core_libraries " -lcsv -lmetis -pthread")
  if(GCNH_MPI)
    string(APPEND core_requires " ompi-c")
  endif()
endif()
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)  # packages may be moved

function(install_gcnh target name headers description requires libraries)
  add_library(gcnh::${name} ALIAS ${target})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  # Until 1.0 a new minor version may change what programs were compiled against. Linux exports nothing but gcnh.
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} VISIBILITY_INLINES_HIDDEN ON DEFINE_SYMBOL ""
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/tools/package/exports.map)
  if(BUILD_SHARED_LIBS AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(${target} PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/tools/package/exports.map)
  endif()
  install(TARGETS ${target} EXPORT gcnhTargets FILE_SET HEADERS)
  set(pc ${PROJECT_BINARY_DIR}/${target}.pc)
  configure_file(${PROJECT_SOURCE_DIR}/tools/package/gcnh.pc.in ${pc} @ONLY)
  install(FILES ${pc} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

install_gcnh(gcnh_core core "${core_headers}" "${PROJECT_DESCRIPTION}: data, models, training, inference"
  "${core_requires}" "${core_libraries}")
if(GCNH_STUDIES)
  install_gcnh(gcnh gcnh "${study_headers}" "${PROJECT_DESCRIPTION}: studies, reports and the paper" "gcnh_core" "")
endif()
if(GCNH_CLI)
  install(TARGETS gcnh_cli)
  set_target_properties(gcnh_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/gcnh)
configure_package_config_file(tools/package/gcnhConfig.cmake.in gcnhConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(gcnhConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gcnhConfig.cmake ${PROJECT_BINARY_DIR}/gcnhConfigVersion.cmake DESTINATION ${package})
install(EXPORT gcnhTargets NAMESPACE gcnh:: DESTINATION ${package})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
