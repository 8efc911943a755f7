"""The package as its users get it: types, docstrings, a wheel, notebooks."""

import doctest
import inspect
import os
import pathlib
import subprocess
import sys
import venv

import pytest

import gcnh

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(gcnh.__file__).parent


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_types_hold(tmp_path):
    run(sys.executable, "-m", "mypy", "--cache-dir", tmp_path, "--config-file", ROOT / "pyproject.toml", PACKAGE, cwd=PACKAGE.parent)
    # pybind11's metaclass, and the constructor that classes without one inherit from it, have no types to be told.
    (tmp_path / "allowed").write_text("gcnh._core.(Graph|Model|Run|Experiment)\ngcnh._core.(Graph|Model|Run).__init__\n")
    run(sys.executable, "-m", "mypy.stubtest", "--allowlist", tmp_path / "allowed", "--mypy-config-file", ROOT / "pyproject.toml", "gcnh._core",
        env={**os.environ, "MYPYPATH": str(PACKAGE.parent)}, cwd=tmp_path)


def test_everything_public_says_what_it_does():
    for name in gcnh.__all__:
        thing = getattr(gcnh, name)
        if not isinstance(thing, dict):
            assert inspect.getdoc(thing), name
        for member, value in inspect.getmembers(thing) if isinstance(thing, type) else []:
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert inspect.getdoc(value), f"{name}.{member}"


def test_signatures_are_the_librarys_options():
    from gcnh import _core

    for model in _core.model_types():
        known = inspect.signature(gcnh.ESTIMATORS[model["name"]]).parameters
        doc = inspect.getdoc(gcnh.ESTIMATORS[model["name"]])
        for option in model["options"] + _core.train_options():
            assert option["name"] in known and f"\n{option['name']} : " in doc
            assert str(known[option["name"]].default).lower().removesuffix(".0") == option["default"].removesuffix(".0") or \
                float(known[option["name"]].default) == float(option["default"])


@pytest.mark.parametrize("module", [gcnh, gcnh._graph])
def test_examples_in_docstrings(module):
    assert doctest.testmod(module).failed == 0


def test_charts_are_there():
    run(sys.executable, "-c", "import gcnh; gcnh.plot.history_svg")


def test_nothing_heavy_is_imported():
    code = "import sys, gcnh; print([m for m in ('pandas', 'networkx', 'matplotlib', 'torch', 'optuna') if m in sys.modules])"
    assert run(sys.executable, "-c", code).strip() == "[]"


def test_the_extension_shows_its_entry_alone():
    shown = run("nm", "-D", "--defined-only", next(PACKAGE.glob("_core.*.so"))).split()
    assert [word for word in shown if "PyInit" in word or word.startswith("_Z")] == ["PyInit__core"]


@pytest.fixture
def python(tmp_path):
    """The interpreter of a venv with Debian's packages. The package is taken from the folder that was built, if it is made once more."""
    if "GCNH_BUILD" not in os.environ:
        pytest.skip("GCNH_BUILD names no folder")
    venv.EnvBuilder(system_site_packages=True, with_pip=True).create(tmp_path / "venv")
    return tmp_path / "venv" / "bin" / "python3"


def without_the_build():
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


# The command that README and docs/python.md have, without a network.
@pytest.mark.slow
def test_pip_install(python, tmp_path):
    pages = [(ROOT / page).read_text() for page in ("README.md", "docs/python.md")]
    commands = {" ".join(line.split("   ")[0].split()) for page in pages for line in page.replace("    pip", "pip").splitlines() if line.startswith("pip ")}
    assert len(commands) == 1
    run(python, "-m", *commands.pop().split(), cwd=ROOT, env={**without_the_build(), "PIP_NO_INDEX": "1"})
    where = run(python, "-c", "import gcnh; print(gcnh.__file__); gcnh.MLPClassifier(epochs=2).fit([[0], [1], [2], [3]], [0, 1, 0, 1])",
                cwd=tmp_path, env=without_the_build())
    assert where.startswith(str(tmp_path / "venv"))


# What README and docs/python.md show, from a wheel.
def test_the_wheel_in_a_venv(python, tmp_path, frames):
    run("/usr/bin/python3", "-m", "pip", "wheel", ROOT, "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path)
    wheel = next(tmp_path.glob("gcnh-*.whl"))
    assert "py3-none-any" not in wheel.name
    run(python, "-m", "pip", "install", "--no-index", wheel)
    nodes, edges = (frame.replace("u_99", "u_9912") for frame in frames)
    nodes.to_csv(tmp_path / "nodes.csv", index=False)
    edges.to_csv(tmp_path / "edges.csv", index=False)
    run(python, ROOT / "tests" / "python" / "block.py", cwd=tmp_path, env=without_the_build())


@pytest.mark.parametrize("notebook", sorted(path.name for path in (ROOT / "examples").glob("*.ipynb")))
def test_notebooks_run(notebook, tmp_path):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    if notebook.startswith("paper") and "GCNH_DATA" not in os.environ:
        pytest.skip("GCNH_DATA names no folder")
    book = nbformat.read(ROOT / "examples" / notebook, as_version=4)
    for cell in book.cells:
        assert not cell.get("outputs"), "committed without outputs"
    kernel = tmp_path / "share" / "jupyter" / "kernels" / "python3"  # this interpreter, whatever is in the path
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text(
        '{"argv": ["%s", "-B", "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "here", "language": "python"}' % sys.executable)
    os.environ["JUPYTER_PATH"] = str(tmp_path / "share" / "jupyter")
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
