# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""The wheel holds a binary on the limited interface: one for all versions of Python from 3.11 on."""
from setuptools import Distribution, setup


class BinaryDistribution(Distribution):
    def has_ext_modules(self):
        return True


setup(distclass=BinaryDistribution, options={"bdist_wheel": {"py_limited_api": "cp311"}})
