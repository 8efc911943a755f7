# Writes OUT, a C++ source in which FUNCTION, declared in HEADER, returns the FILES with their names (gcnh/base/embedded.h).
set(text "#include \"${HEADER}\"\n\nconst gcnh::EmbeddedFiles& ${FUNCTION}() {\n  static const gcnh::EmbeddedFiles files = {\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} body)
  string(APPEND text "      {\"${name}\", R\"gcnh(${body})gcnh\"},\n")
endforeach()
string(APPEND text "  };\n  return files;\n}\n")
file(WRITE ${OUT} "${text}")
