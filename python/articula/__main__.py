# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""python -m articula VERB ...: the command."""
from .calls import main

main()
