# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""A quarter of a minute of random calls, a minute with ART_TEST_ALL; ART_SECONDS and ART_SEED choose others."""
import os
import unittest

from random_calls import call_at_random
from support import TestCase


class RandomCalls(TestCase):
    def test_random_calls(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder())
        seconds = float(os.environ.get("ART_SECONDS", "60" if "ART_TEST_ALL" in os.environ else "15"))
        self.assertGreater(call_at_random(seconds, int(os.environ.get("ART_SEED", "1"))), 15 * seconds)


if __name__ == "__main__":
    unittest.main()
