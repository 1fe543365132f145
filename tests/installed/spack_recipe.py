# SPDX-License-Identifier: BSD-3-Clause
"""Load the recipes for Spack with stand-ins for Spack's own modules, and compare that of Hitop with configure.ac.

usage: spack_recipe.py TOP CONFIGURE    TOP: the sources; CONFIGURE: the script
"""
import contextlib
import pathlib
import re
import subprocess
import sys
import types

# What configure asks pkg-config for, by the name that Spack has for it.
SPACK_NAMES = {"yaml-0.1": "libyaml", "zlib": "zlib-api"}
# Those that have no line in configure.ac: of the build, of a variant, or the MPI.
OTHERS = {"c", "gmake", "pkgconfig", "mpi@3:", "simgrid+smpi", "graphviz"}

calls = []


def record(word):
    return lambda *args, **options: calls.append((word, args, options))


class Package:
    def __init__(self, on):
        self.on = on
        self.spec = self

    def satisfies(self, what):
        return what in self.on

    def __getitem__(self, name):
        bin_folder = types.SimpleNamespace(smpicc=f"/{name}/bin/smpicc")
        return types.SimpleNamespace(mpicc=f"/{name}/bin/mpicc", prefix=types.SimpleNamespace(bin=bin_folder))

    def enable_or_disable(self, name):
        return [f"--{'enable' if '+' + name in self.on else 'disable'}-{name}"]


def load(path):
    """The class of a recipe; what it declares is in calls."""
    calls.clear()
    spack = types.ModuleType("spack.package")
    for word in ("version", "variant", "depends_on", "conflicts", "license", "maintainers", "patch"):
        setattr(spack, word, record(word))
    spack.when = lambda *args: contextlib.nullcontext()
    autotools = types.ModuleType("spack_repo.builtin.build_systems.autotools")
    autotools.AutotoolsPackage = Package
    sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": spack})
    for name in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["spack_repo.builtin.build_systems.autotools"] = autotools
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    return [value for value in scope.values() if isinstance(value, type) and value is not Package][0]


def fail(text):
    sys.exit(f"{recipe}: {text}")


top = pathlib.Path(sys.argv[1])
packages = top / "packaging/spack/spack_repo/hitop/packages"
recipe = packages / "hitop/package.py"
configure_ac = (top / "configure.ac").read_text()

recipe = packages / "libcsv/package.py"
if load(recipe).__name__ != "Libcsv":
    fail("its class must be named after its folder")
recipe = packages / "hitop/package.py"
hitop = load(recipe)
if hitop.__name__ != "Hitop":
    fail("its class must be named after its folder")

wanted = set()
for module, least in re.findall(r"PKG_CHECK_MODULES\(\[\w+\], \[([\w.-]+)(?: >= ([\d.]+))?\]", configure_ac):
    wanted.add(SPACK_NAMES.get(module, module) + (f"@{least}:" if least else ""))
wanted |= {f"lib{name}" for name in re.findall(r"AC_CHECK_LIB\(\[(\w+)\]", configure_ac)}
found = {args[0] for word, args, _ in calls if word == "depends_on"} - OTHERS
if wanted != found:
    fail(f"needs {sorted(found)}, configure.ac {sorted(wanted)}")

version = re.search(r"AC_INIT\(\[hitop\], \[([\d.]+)\]\)", configure_ac).group(1)
versions = {args[0] for word, args, _ in calls if word == "version"}
if versions != {version} or not hitop.url.endswith(f"/hitop-{version}.tar.gz"):
    fail(f"has versions {sorted(versions)} and {hitop.url}, configure.ac {version}")

options = subprocess.run([sys.argv[2], "--help"], check=True, capture_output=True, text=True).stdout
for variants in ((), ("+static",), ("+simgrid",)):
    for argument in hitop(variants).configure_args():
        word = argument.split("=")[0].replace("--disable-", "--enable-")
        if not re.search(rf"^ +{re.escape(word)}\b", options, re.M):
            fail(f"configure does not know {argument}")
