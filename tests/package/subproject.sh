#!/bin/sh
# subproject.sh EXAMPLE FOLDER COMPILER [build]: gcnh as part of another project. It must neither look for what only studies, program and tests
# need nor pass its flags on. It is built without optimisation, which takes a third of the time.
set -eu
cmake -S "$1" -B "$2" -G Ninja -DCMAKE_CXX_COMPILER="$3" ${4:+-DCMAKE_BUILD_TYPE=None} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
forbid() { if grep -E -e "$1" "$2"; then exit 1; fi; }
forbid '^(GCNH_D3|CLI11_DIR|GTest_DIR)' "$2/CMakeCache.txt"
grep '"command": .*friends.dir/main.cpp.o' "$2/compile_commands.json" >"$2/command"
forbid '-W|-ffp|-O|GCNH_' "$2/command"
[ "${4:-}" = build ] || exit 0
cmake --build "$2"
"$2/friends"
