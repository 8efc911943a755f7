"""The wheel: CMake builds the package whole, in python/gcnh of a build folder, and it is copied from there."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

ROOT = pathlib.Path(__file__).resolve().parent


class BuildWithCMake(build_py):
    def run(self):
        folder = pathlib.Path(os.environ.get("GCNH_BUILD", ROOT / "build" / "release"))
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DGCNH_PYTHON=ON",
                        *([] if (folder / "build.ninja").exists() else ["-DGCNH_TESTS=OFF", f"-DPython3_EXECUTABLE={sys.executable}"])],
                       check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "python_package"], check=True)
        target = pathlib.Path(self.build_lib) / "gcnh"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(folder / "python" / "gcnh", target, ignore=shutil.ignore_patterns("__pycache__"))


class WithExtension(Distribution):
    def has_ext_modules(self):
        return True


setup(
    version=re.search(r"project\(gcnh VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1),
    packages=["gcnh"],
    package_dir={"": "python"},
    cmdclass={"build_py": BuildWithCMake},
    distclass=WithExtension,
)
