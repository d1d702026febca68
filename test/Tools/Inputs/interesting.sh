#!/bin/sh
# Exits with 1 where the file is interesting: `--fuse` still meets the stage.
pipeline-opt --fuse "$1" 2>/dev/null | grep -q 'pipeline.stage "wanted"' && exit 1
exit 0
