; How many threads a program uses: the environment variable WEFT_NUM_THREADS, else the CPUs that the process may run on.
; What parallel code calls before it starts (`codegen` links this to a module that declares the function).
;
; It is asked once: memory for all threads is allocated before loops that ask again, and to read the variable takes as long as a small image.
; A variable that is no number from 1 to 4096 is a mistake, of which the user is told once; one without any text is as if it were not there.

@variable = private unnamed_addr constant [17 x i8] c"WEFT_NUM_THREADS\00"
@mistake = private unnamed_addr constant [90 x i8] c"WEFT_NUM_THREADS is '%s', expected a number from 1 to 4096; threads are one for each CPU\0A\00"
@threads = internal global i32 0

declare ptr @getenv(ptr)
declare i64 @strtol(ptr, ptr, i32)
declare i32 @omp_get_num_procs()
declare i32 @dprintf(i32, ptr, ...)

define i32 @weft_num_threads() {
  %before = load atomic i32, ptr @threads monotonic, align 4
  %is_known = icmp ne i32 %before, 0
  br i1 %is_known, label %done, label %ask

ask:
  %asked = call i32 @ask()
  ; Of several that ask at once the first is right.
  %pair = cmpxchg ptr @threads, i32 0, i32 %asked monotonic monotonic
  %others = extractvalue { i32, i1 } %pair, 0
  %is_first = extractvalue { i32, i1 } %pair, 1
  %first = select i1 %is_first, i32 %asked, i32 %others
  br label %done

done:
  %threads = phi i32 [ %before, %0 ], [ %first, %ask ]
  ret i32 %threads
}

define internal i32 @ask() noinline {
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
  ; To stderr.
  call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @mistake, ptr %text)
  br label %all

all:
  %cpus = call i32 @omp_get_num_procs()
  %some = call i32 @llvm.smax.i32(i32 %cpus, i32 1)
  ret i32 %some
}

declare i32 @llvm.smax.i32(i32, i32)
