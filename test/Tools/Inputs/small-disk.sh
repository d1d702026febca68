#!/bin/sh
# small-disk.sh FILES COMMAND: a command that writes these files into the folder `disk`, which is a disk of 64 KiB with 0, 1 or 3 pages left,
# and an older file in the place of each, unless BEFORE is empty. With a page too few it must exit with 1 and say why; each file is then the
# older one or all that it should be, nothing lies beside them, and where nothing is left, none is new.
files=$1
before=${BEFORE-old}
shift
if [ "$free" ]; then
    mount -t tmpfs -o size=64k weft disk || exit 3
    [ -z "$before" ] || for file in $files; do echo "$before" >disk/$file; done
    dd if=/dev/zero of=disk/rest bs=4096 2>/dev/null
    truncate -s -$((4096 * free)) disk/rest
    said=$("$@" 2>&1 >/dev/null)
    code=$?
    wrong() { printf '%s with %s pages left: %s\n%s\n' "$1" $free "$*" "$said"; exit 1; }
    new=0 old=0 count=1
    for file in $files; do
        [ ! -e disk/$file ] || count=$((count + 1))
        if cmp -s disk/$file large/$file; then new=$((new + 1)); elif [ "$(cat disk/$file 2>/dev/null)" = "$before" ]; then old=$((old + 1)); else wrong "a part of $file"; fi
    done
    [ "$(ls -A disk | wc -l)" -eq $count ] || wrong "something beside: $(ls -A disk)"
    case $code in
    0) [ $old -eq 0 ] && [ $free -gt 0 ] || wrong "exit status 0" ;;
    1) [ $old -gt 0 ] || wrong "all is written"
       case $said in *"No space left on device"*) ;; *) wrong "another reason" ;; esac ;;
    *) wrong "exit status $code" ;;
    esac
    exit 0
fi
rm -rf disk large
mkdir disk && "$@" >/dev/null && mv disk large && mkdir disk || exit 2
for free in 0 1 3; do
    export free
    unshare -rm "$0" "$files" "$@" || exit 1
done
