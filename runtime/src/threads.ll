; How many threads a program uses: the environment variable WEFT_NUM_THREADS if it is a number from 1 on, else the CPUs that are online.
; What parallel code calls before it starts (`codegen` links this to a module that declares the function).

@variable = private unnamed_addr constant [17 x i8] c"WEFT_NUM_THREADS\00"

declare ptr @getenv(ptr)
declare i64 @strtol(ptr, ptr, i32)
declare i64 @sysconf(i32)

define i32 @weft_num_threads() {
  %text = call ptr @getenv(ptr @variable)
  %absent = icmp eq ptr %text, null
  br i1 %absent, label %all, label %read

read:
  %number = call i64 @strtol(ptr %text, ptr null, i32 10)
  %positive = icmp sgt i64 %number, 0
  br i1 %positive, label %given, label %all

given:
  ; More than this many is a mistake, and must not become one of the 32-bit result.
  %bounded = call i64 @llvm.smin.i64(i64 %number, i64 4096)
  %count = trunc i64 %bounded to i32
  ret i32 %count

all:
  ; _SC_NPROCESSORS_ONLN of Linux
  %online = call i64 @sysconf(i32 84)
  %some = call i64 @llvm.smax.i64(i64 %online, i64 1)
  %cpus = trunc i64 %some to i32
  ret i32 %cpus
}

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
