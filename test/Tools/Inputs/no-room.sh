#!/bin/sh
# no-room.sh stdout|file COMMAND: a command whose stdout, or whose file, has no room. It must exit with 1 and say why, in one line.
to=/dev/null
[ "$1" = stdout ] && to=/dev/full
shift
said=$("$@" 2>&1 >$to)
code=$?
wrong() { printf '%s: %s\n%s\n' "$1" "$*" "$said"; exit 1; }
[ $code -eq 1 ] || wrong "exit status $code"
[ "$(printf '%s\n' "$said" | wc -l)" -eq 1 ] || wrong "more than a line"
case $said in *"No space left on device"*) ;; *) wrong "another reason" ;; esac
