# SPDX-License-Identifier: BSD-3-Clause
import os

from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Hitop(AutotoolsPackage):
    """Hitop finds the hierarchy of the machine that an MPI job runs on, measures a model of its
    links, predicts the collectives of MPI from that model, and makes broadcasts, reductions and
    other collectives faster in programs that it does not change."""

    # The archive that make dist makes, in the folder where spack is called.
    manual_download = True
    url = f"file://{os.getcwd()}/hitop-0.1.0.tar.gz"

    license("BSD-3-Clause", checked_by="maintainers")

    version("0.1.0")

    variant("simgrid", default=False, description="Build for simulated machines, not for an MPI")
    variant("static", default=False, description="Build static libraries besides shared ones")
    variant("graphviz", default=False, description="Draw hierarchies as SVG, PDF or PNG")

    conflicts("+static", when="+simgrid", msg="all libraries are static for SimGrid")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")

    # Any MPI; one installation serves one.
    depends_on("mpi@3:", when="~simgrid")
    depends_on("simgrid+smpi", when="+simgrid")

    depends_on("expat@2.2:")
    depends_on("gsl")
    depends_on("hwloc@2.1:")
    depends_on("jansson@2.10:")
    depends_on("libcsv")
    depends_on("libyaml")
    depends_on("zlib-api")

    depends_on("check@0.15:", type="test")
    depends_on("graphviz", type="run", when="+graphviz")

    build_directory = "spack-build"

    def configure_args(self):
        if self.spec.satisfies("+simgrid"):
            return [f"MPICC={self.spec['simgrid'].prefix.bin.smpicc}"]
        return [f"MPICC={self.spec['mpi'].mpicc}", *self.enable_or_disable("static")]
