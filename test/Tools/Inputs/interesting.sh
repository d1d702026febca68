#!/bin/sh
# Exits with 1 where the file is interesting: it is a program, and has the word.
pipeline-opt "$1" 2>/dev/null | grep -q "$WORD" && exit 1
exit 0
