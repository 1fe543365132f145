# SPDX-License-Identifier: BSD-3-Clause
from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Libcsv(AutotoolsPackage):
    """A small library that reads and writes CSV. Spack's own repository does not have it."""

    homepage = "https://github.com/rgamble/libcsv"
    git = "https://github.com/rgamble/libcsv.git"

    license("LGPL-2.1-or-later")

    version("3.0.3", commit="b1d5212831842ee5869d99bc208a21837e4037d5")

    depends_on("c", type="build")
