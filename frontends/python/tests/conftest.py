"""Each run of the tests has a cache of its own, so that nothing is right only because an older compiler made it."""

import os
import tempfile

if "WEFT_CACHE_DIR" not in os.environ:
    os.environ["WEFT_CACHE_DIR"] = tempfile.mkdtemp(prefix="weft-test-cache-")
