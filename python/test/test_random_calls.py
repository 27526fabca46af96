# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""A minute of random calls; ART_SECONDS and ART_SEED choose others."""
import os
import unittest

from random_calls import call_at_random
from support import TestCase


class RandomCalls(TestCase):
    def test_random_calls(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder())
        self.assertGreater(call_at_random(float(os.environ.get("ART_SECONDS", "60")), int(os.environ.get("ART_SEED", "1"))), 1000)


if __name__ == "__main__":
    unittest.main()
