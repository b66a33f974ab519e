"""Checks of the sources that a compiler does not make. `python3 .ci/house` runs all of them."""
