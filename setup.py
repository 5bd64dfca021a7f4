"""The compiled kernel; everything else is in pyproject.toml."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

CHECKED = bool(os.environ.get("SHARABESHKI_CHECKED"))  # bounds checks: slower, for the tests
STAMP = Path("build", "checked")  # the last build's choice: changing it rebuilds
changed = not STAMP.exists() or STAMP.read_text() != str(CHECKED)
kernel = Extension(
    "solver._kernel",
    sources=["ext/kernel.pyx"],
    depends=["setup.py", *map(str, Path("ext").glob("*.[hp]*"))],
    include_dirs=["ext"],
    extra_compile_args=["-O3", "-ffp-contract=off", "-fno-math-errno"],
)
directives = {"boundscheck": CHECKED, "wraparound": False, "cdivision": True}
setup(ext_modules=cythonize([kernel], compiler_directives=directives, force=changed))
STAMP.parent.mkdir(exist_ok=True)
STAMP.write_text(str(CHECKED))
