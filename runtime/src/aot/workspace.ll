; Memory of a call on a CPU. Programs call malloc and free by these names (`compile` changes them), and allocate on the thread that called.
;
;   weft_f             malloc's; what is large stays here for the next call
;   weft_f_workspace   none: its bytes are counted, and --check-memory leaves the work out
;   weft_f_in          counted first, and if there are enough, the caller's: one allocation behind the other, each in lines of its own
;
; Where no memory of the caller's is left, malloc gives it: that is what counting did not see.

; 0: malloc's, 1: the caller's, 2: counted.
@weft.source = internal thread_local global i32 0
@weft.counted = internal thread_local global i64 0
@weft.start = internal thread_local global i64 0
@weft.next = internal thread_local global i64 0
@weft.end = internal thread_local global i64 0

declare noalias ptr @malloc(i64)
declare void @free(ptr)
declare i64 @llvm.uadd.sat.i64(i64, i64)

; A function of its own, so that LLVM knows that what it gives is nobody else's.
define noalias ptr @weft.allocate(i64 %bytes) noinline {
  %source = load i32, ptr @weft.source
  switch i32 %source, label %own [ i32 1, label %callers
                                   i32 2, label %count ]

count:
  %before = load i64, ptr @weft.counted
  %lines = call i64 @weft.lines(i64 %bytes)
  %after = call i64 @llvm.uadd.sat.i64(i64 %before, i64 %lines)
  store i64 %after, ptr @weft.counted
  ret ptr null

callers:
  %next = load i64, ptr @weft.next
  %end = load i64, ptr @weft.end
  %left = sub i64 %end, %next
  %wanted = call i64 @weft.lines(i64 %bytes)
  %fits = icmp ule i64 %wanted, %left
  br i1 %fits, label %take, label %own

take:
  %behind = add i64 %next, %wanted
  store i64 %behind, ptr @weft.next
  %place = inttoptr i64 %next to ptr
  ret ptr %place

own:
  %memory = call ptr @weft.own(i64 %bytes)
  ret ptr %memory
}

define void @weft.free(ptr %memory) noinline {
  %place = ptrtoint ptr %memory to i64
  %begin = load i64, ptr @weft.start
  %end = load i64, ptr @weft.end
  %is_behind = icmp uge i64 %place, %begin
  %is_before = icmp ult i64 %place, %end
  %is_callers = and i1 %is_behind, %is_before
  br i1 %is_callers, label %done, label %own

own:
  call void @weft.give(ptr %memory)
  br label %done

done:
  ret void
}

; Blocks of 32 MiB or more. glibc gives them back to the system with each free, whatever it has seen before, and every page of the next call's is
; cleared again, which can take as long as the call. So a few stay, of the sizes that were asked for last; their pages are the system's, should it want
; them (MADV_FREE).
;
;   slot   { i32 state; i64 bytes; ptr block }     state 0: of nothing, 1: somebody changes it, 2: of a block for later, 3: of one in use
;
; Who has brought a slot to 1 has it for himself; what is in use only its caller frees.
%weft.slot = type { i32, i64, ptr }
@weft.slots = internal global [8 x %weft.slot] zeroinitializer

declare i32 @madvise(i64, i64, i32)

; Takes a slot in some state for itself; none where there is no such one. Of blocks for later those of so many bytes, if any are wanted.
define internal ptr @weft.take(i32 %state, i64 %bytes) {
start:
  %is_any = icmp eq i64 %bytes, 0
  br label %look

look:
  %number = phi i64 [ 0, %start ], [ %next, %on ]
  %slot = getelementptr %weft.slot, ptr @weft.slots, i64 %number
  %changed = cmpxchg ptr %slot, i32 %state, i32 1 acquire monotonic
  %is_mine = extractvalue { i32, i1 } %changed, 1
  br i1 %is_mine, label %compare, label %on

compare:
  %bytes_place = getelementptr %weft.slot, ptr %slot, i64 0, i32 1
  %its = load i64, ptr %bytes_place
  %is_same = icmp eq i64 %its, %bytes
  %is_wanted = or i1 %is_any, %is_same
  br i1 %is_wanted, label %found, label %back

found:
  ret ptr %slot

back:
  store atomic i32 %state, ptr %slot release, align 4
  br label %on

on:
  %next = add i64 %number, 1
  %is_last = icmp eq i64 %next, 8
  br i1 %is_last, label %none, label %look

none:
  ret ptr null
}

define internal ptr @weft.own(i64 %bytes) {
start:
  %is_large = icmp uge i64 %bytes, 33554432
  br i1 %is_large, label %later, label %small

small:
  %plain = call ptr @malloc(i64 %bytes)
  ret ptr %plain

later:
  %same = call ptr @weft.take(i32 2, i64 %bytes)
  %is_there = icmp ne ptr %same, null
  br i1 %is_there, label %again, label %make

again:
  %kept_place = getelementptr %weft.slot, ptr %same, i64 0, i32 2
  %kept = load ptr, ptr %kept_place
  store atomic i32 3, ptr %same release, align 4
  ret ptr %kept

make:
  %block = call ptr @malloc(i64 %bytes)
  %is_null = icmp eq ptr %block, null
  br i1 %is_null, label %out, label %empty

empty:
  %first = call ptr @weft.take(i32 0, i64 0)
  %is_first = icmp ne ptr %first, null
  br i1 %is_first, label %put, label %full

; One of another size, which nobody has asked for since.
full:
  %other = call ptr @weft.take(i32 2, i64 0)
  %is_other = icmp ne ptr %other, null
  br i1 %is_other, label %instead, label %out

instead:
  %old_place = getelementptr %weft.slot, ptr %other, i64 0, i32 2
  %old = load ptr, ptr %old_place
  call void @free(ptr %old)
  br label %put

put:
  %slot = phi ptr [ %first, %empty ], [ %other, %instead ]
  %bytes_place = getelementptr %weft.slot, ptr %slot, i64 0, i32 1
  store i64 %bytes, ptr %bytes_place
  %place = getelementptr %weft.slot, ptr %slot, i64 0, i32 2
  store atomic ptr %block, ptr %place monotonic, align 8
  store atomic i32 3, ptr %slot release, align 4
  ret ptr %block

out:
  ret ptr %block
}

; Frees memory, or leaves it for later where a slot has it.
define internal void @weft.give(ptr %memory) {
start:
  %is_null = icmp eq ptr %memory, null
  br i1 %is_null, label %done, label %look

look:
  %number = phi i64 [ 0, %start ], [ %next, %on ]
  %slot = getelementptr %weft.slot, ptr @weft.slots, i64 %number
  %state = load atomic i32, ptr %slot acquire, align 4
  %is_used = icmp eq i32 %state, 3
  %place = getelementptr %weft.slot, ptr %slot, i64 0, i32 2
  %block = load atomic ptr, ptr %place monotonic, align 8
  %is_its = icmp eq ptr %block, %memory
  %is_here = and i1 %is_used, %is_its
  br i1 %is_here, label %found, label %on

on:
  %next = add i64 %number, 1
  %is_last = icmp eq i64 %next, 8
  br i1 %is_last, label %not, label %look

not:
  call void @free(ptr %memory)
  br label %done

found:
  ; Its large pages, as --large-pages has asked for them: each small one would take time when it is used again. 8 is MADV_FREE.
  %bytes_place = getelementptr %weft.slot, ptr %slot, i64 0, i32 1
  %bytes = load i64, ptr %bytes_place
  %at = ptrtoint ptr %memory to i64
  %up = add i64 %at, 2097151
  %first = and i64 %up, -2097152
  %behind = add i64 %at, %bytes
  %last = and i64 %behind, -2097152
  %pages = sub i64 %last, %first
  %has_pages = icmp sgt i64 %pages, 0
  br i1 %has_pages, label %advise, label %keep

advise:
  call i32 @madvise(i64 %first, i64 %pages, i32 8)
  br label %keep

keep:
  store atomic i32 2, ptr %slot release, align 4
  br label %done

done:
  ret void
}

; When the library is closed, or the process ends.
define internal void @weft.forget() {
start:
  br label %look

look:
  %slot = call ptr @weft.take(i32 2, i64 0)
  %is_none = icmp eq ptr %slot, null
  br i1 %is_none, label %done, label %found

found:
  %place = getelementptr %weft.slot, ptr %slot, i64 0, i32 2
  %block = load ptr, ptr %place
  call void @free(ptr %block)
  store atomic i32 0, ptr %slot release, align 4
  br label %look

done:
  ret void
}

@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @weft.forget, ptr null }]

; What --check-memory calls, which is no failure of a call that is counted: 6 is WEFT_ERROR_MEMORY.
define void @weft_no_memory(ptr %message) {
  %source = load i32, ptr @weft.source
  %is_counted = icmp eq i32 %source, 2
  br i1 %is_counted, label %done, label %say

say:
  call void @weft.say(ptr %message, i32 6)
  br label %done

done:
  ret void
}

; Bytes in whole lines; the largest number for more than there can be.
define internal i64 @weft.lines(i64 %bytes) {
  %more = call i64 @llvm.uadd.sat.i64(i64 %bytes, i64 63)
  %lines = and i64 %more, -64
  ret i64 %lines
}

; A call that is counted begins, and ends with the bytes of a workspace that may begin anywhere.
define internal void @weft.count() {
  store i64 0, ptr @weft.counted
  store i32 2, ptr @weft.source
  ret void
}

define internal i64 @weft.counted_all() {
  store i32 0, ptr @weft.source
  %bytes = load i64, ptr @weft.counted
  %is_none = icmp eq i64 %bytes, 0
  %placed = call i64 @llvm.uadd.sat.i64(i64 %bytes, i64 63)
  %some = call i64 @llvm.umin.i64(i64 %placed, i64 9223372036854775807)
  %all = select i1 %is_none, i64 0, i64 %some
  ret i64 %all
}

declare i64 @llvm.umin.i64(i64, i64)

; Whether a workspace has as many bytes as were counted; then the next call takes its memory there.
define internal i1 @weft.enter(ptr %program, ptr %memory, i64 %bytes, i64 %wanted) {
  %is_null = icmp eq ptr %memory, null
  %found = select i1 %is_null, i64 0, i64 %bytes
  %is_enough = icmp sge i64 %found, %wanted
  br i1 %is_enough, label %enter, label %refuse

refuse:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_workspace, ptr %program, i64 %found, i64 %wanted)
  store i32 6, ptr @weft.status
  ret i1 false

enter:
  %place = ptrtoint ptr %memory to i64
  %more = add i64 %place, 63
  %first = and i64 %more, -64
  ; Of nothing there is no first line.
  %behind = add i64 %place, %bytes
  %last = call i64 @llvm.umax.i64(i64 %first, i64 %behind)
  store i64 %first, ptr @weft.start
  store i64 %first, ptr @weft.next
  store i64 %last, ptr @weft.end
  store i32 1, ptr @weft.source
  ret i1 true
}

define internal void @weft.leave() {
  store i32 0, ptr @weft.source
  store i64 0, ptr @weft.start
  store i64 0, ptr @weft.end
  ret void
}

declare i64 @llvm.umax.i64(i64, i64)

; A workspace as an image of bytes, to be compared with others: weft_buffer's address, extents and strides.
define internal void @weft.as_image(ptr %memory, i64 %bytes, ptr %image) {
  %is_null = icmp eq ptr %memory, null
  %given = select i1 %is_null, i64 0, i64 %bytes
  %some = call i64 @llvm.smax.i64(i64 %given, i64 0)
  store ptr %memory, ptr %image
  %extent = getelementptr i8, ptr %image, i64 16
  store i64 %some, ptr %extent
  %stride = getelementptr i8, ptr %image, i64 48
  store i64 1, ptr %stride
  ret void
}

; Whether a workspace shares no memory with an argument or a result.
define internal i1 @weft.private(ptr %program, ptr %image, ptr %kind, ptr %name, ptr %buffer, i64 %rank, i64 %size) {
  %is_apart = call i1 @weft.apart(ptr %image, i64 1, i64 1, ptr %buffer, i64 %rank, i64 %size)
  br i1 %is_apart, label %good, label %bad

good:
  ret i1 true

bad:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_private, ptr %program, ptr %kind, ptr %name)
  store i32 10, ptr @weft.status
  ret i1 false
}

; The descriptor of a result without memory, for a call that is counted.
define internal void @weft.outline(ptr %extents, i64 %rank, ptr %descriptor) {
start:
  %words = add i64 %rank, %rank
  %all = add i64 %words, 3
  %bytes = mul i64 %all, 8
  call void @llvm.memset.p0.i64(ptr %descriptor, i8 0, i64 %bytes, i1 false)
  %to = getelementptr i8, ptr %descriptor, i64 24
  %length = mul i64 %rank, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %extents, i64 %length, i1 false)
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
