; How many threads a program uses: the environment variable WEFT_NUM_THREADS, else the CPUs that are online.
; What parallel code calls before it starts (`codegen` links this to a module that declares the function).
;
; A variable that is no number from 1 to 4096 is a mistake, of which the user is told once; one without any text is as if it were not there.

@variable = private unnamed_addr constant [17 x i8] c"WEFT_NUM_THREADS\00"
@mistake = private unnamed_addr constant [90 x i8] c"WEFT_NUM_THREADS is '%s', expected a number from 1 to 4096; threads are one for each CPU\0A\00"
@is_said = internal global i32 0

declare ptr @getenv(ptr)
declare i64 @strtol(ptr, ptr, i32)
declare i64 @sysconf(i32)
declare i32 @dprintf(i32, ptr, ...)

define i32 @weft_num_threads() {
  %end_place = alloca ptr
  %text = call ptr @getenv(ptr @variable)
  %absent = icmp eq ptr %text, null
  br i1 %absent, label %all, label %look

look:
  %first = load i8, ptr %text
  %empty = icmp eq i8 %first, 0
  br i1 %empty, label %all, label %read

read:
  ; What does not fit is the largest or the smallest number.
  %number = call i64 @strtol(ptr %text, ptr %end_place, i32 10)
  %end = load ptr, ptr %end_place
  %last = load i8, ptr %end
  %whole = icmp eq i8 %last, 0
  %above = icmp sge i64 %number, 1
  %below = icmp sle i64 %number, 4096
  %inside = and i1 %above, %below
  %good = and i1 %whole, %inside
  br i1 %good, label %given, label %bad

given:
  %count = trunc i64 %number to i32
  ret i32 %count

bad:
  %before = atomicrmw xchg ptr @is_said, i32 1 monotonic
  %was_said = icmp ne i32 %before, 0
  br i1 %was_said, label %all, label %say

say:
  ; To stderr.
  call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @mistake, ptr %text)
  br label %all

all:
  ; _SC_NPROCESSORS_ONLN of Linux
  %online = call i64 @sysconf(i32 84)
  %some = call i64 @llvm.smax.i64(i64 %online, i64 1)
  %cpus = trunc i64 %some to i32
  ret i32 %cpus
}

declare i64 @llvm.smax.i64(i64, i64)
