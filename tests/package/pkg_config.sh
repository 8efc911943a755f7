#!/bin/sh
# pkg_config.sh PREFIX LIBDIR EXAMPLE COMPILER: builds and runs the example with what pkg-config says of the installed package.
set -eu
export PKG_CONFIG_PATH="$1/$2/pkgconfig"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# shellcheck disable=SC2046 # several words
"$4" -std=c++20 -Wall -Wextra -Wconversion -Werror "$3/main.cpp" $(pkg-config --cflags --libs gcnh_core) -Wl,-rpath,"$1/$2" -o customers
./customers "$3"
