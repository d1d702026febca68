; What the C functions of compiled programs share: how a thread's last call ended, and the checks of buffers. The texts (@text_...)
; and the functions of the programs stand beside this in one module: see aot.rs.
;
;   weft_buffer { ptr data; i16 interface; i16 type; i32 rank; i64 extents[4]; i64 strides[4] } at 0, 8, 10, 12, 16, 48
;   descriptor  { ptr allocated; ptr data; i64 offset; i64 extents[rank]; i64 strides[rank] }   at 0, 8, 16, 24, 24 + 8 rank
;
; The status is 0 or a code of the header's weft_status. Both variables are the calling thread's own: nothing else is ever written here.

@weft.status = internal thread_local global i32 0
@weft.message = internal thread_local global [1024 x i8] zeroinitializer

declare i32 @snprintf(ptr, i64, ptr, ...)
declare i64 @llvm.abs.i64(i64, i1)

; A check of a program has failed: 4 is WEFT_ERROR_CHECK.
define void @weft.failed(ptr %message) {
  call void @weft.say(ptr %message, i32 4)
  ret void
}

; What --check-memory calls: 6 is WEFT_ERROR_MEMORY.
define void @weft_no_memory(ptr %message) {
  call void @weft.say(ptr %message, i32 6)
  ret void
}

define internal void @weft.say(ptr %message, i32 %status) {
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_plain, ptr %message)
  store i32 %status, ptr @weft.status
  ret void
}

; Whether a buffer can be an argument (%kind is @text_argument) or a result (@text_result) of a program. %expected has an extent
; for each dimension, -1 for any. Without %memory all but data and strides is looked at.
define internal i1 @weft.check(ptr %program, ptr %kind, ptr %name, ptr %buffer, i16 %type, i64 %rank, ptr %expected, i1 %memory) {
start:
  %is_null = icmp eq ptr %buffer, null
  br i1 %is_null, label %null_buffer, label %interface

null_buffer:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_null, ptr %program, ptr %kind, ptr %name)
  store i32 1, ptr @weft.status
  ret i1 false

; A caller that was compiled with another header may have anything behind the first words.
interface:
  %interface_place = getelementptr i8, ptr %buffer, i64 8
  %its_interface = load i16, ptr %interface_place
  %own_interface = load i16, ptr @weft.interface
  %is_ours = icmp eq i16 %its_interface, %own_interface
  br i1 %is_ours, label %type_of, label %other_interface

other_interface:
  %interface_found = zext i16 %its_interface to i64
  %interface_wanted = zext i16 %own_interface to i64
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_interface, ptr %program, ptr %kind, ptr %name, i64 %interface_found, i64 %interface_wanted)
  store i32 8, ptr @weft.status
  ret i1 false

type_of:
  %type_place = getelementptr i8, ptr %buffer, i64 10
  %its_type = load i16, ptr %type_place
  %is_type = icmp eq i16 %its_type, %type
  br i1 %is_type, label %rank_of, label %other_type

other_type:
  %type_found = call ptr @weft.type(i16 %its_type)
  %type_wanted = call ptr @weft.type(i16 %type)
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_type, ptr %program, ptr %kind, ptr %name, ptr %type_found, ptr %type_wanted)
  store i32 9, ptr @weft.status
  ret i1 false

rank_of:
  %rank_place = getelementptr i8, ptr %buffer, i64 12
  %its_rank = load i32, ptr %rank_place
  %rank_found = sext i32 %its_rank to i64
  %is_rank = icmp eq i64 %rank_found, %rank
  br i1 %is_rank, label %extents, label %other_rank

other_rank:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_rank, ptr %program, ptr %kind, ptr %name, i64 %rank_found, i64 %rank)
  store i32 9, ptr @weft.status
  ret i1 false

extents:
  %d = phi i64 [ 0, %rank_of ], [ %next, %extent_good ]
  %empty = phi i1 [ false, %rank_of ], [ %empty_now, %extent_good ]
  %more = icmp slt i64 %d, %rank
  br i1 %more, label %extent, label %data

extent:
  %extent_at = getelementptr i8, ptr %buffer, i64 16
  %extent_place = getelementptr i64, ptr %extent_at, i64 %d
  %found = load i64, ptr %extent_place
  %wanted_place = getelementptr i64, ptr %expected, i64 %d
  %wanted = load i64, ptr %wanted_place
  %is_negative = icmp slt i64 %found, 0
  br i1 %is_negative, label %negative, label %compare

negative:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_negative, ptr %program, ptr %kind, ptr %name, i64 %found, i64 %d)
  store i32 2, ptr @weft.status
  ret i1 false

compare:
  %is_any = icmp slt i64 %wanted, 0
  %is_same = icmp eq i64 %found, %wanted
  %fits = or i1 %is_any, %is_same
  br i1 %fits, label %extent_good, label %other_extent

other_extent:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_extent, ptr %program, ptr %kind, ptr %name, i64 %found, i64 %d, i64 %wanted)
  store i32 2, ptr @weft.status
  ret i1 false

extent_good:
  %is_zero = icmp eq i64 %found, 0
  %empty_now = or i1 %empty, %is_zero
  %next = add i64 %d, 1
  br label %extents

; An image without points needs no memory.
data:
  %address = load ptr, ptr %buffer
  %has_none = icmp eq ptr %address, null
  %has_points = xor i1 %empty, true
  %needs = and i1 %memory, %has_points
  %lacks = and i1 %has_none, %needs
  br i1 %lacks, label %null_data, label %strides

null_data:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_data, ptr %program, ptr %kind, ptr %name)
  store i32 1, ptr @weft.status
  ret i1 false

strides:
  %has_strides = icmp sgt i64 %rank, 0
  %looks = and i1 %has_strides, %memory
  br i1 %looks, label %innermost, label %good

innermost:
  %last = sub i64 %rank, 1
  %strides_at = getelementptr i8, ptr %buffer, i64 48
  %last_place = getelementptr i64, ptr %strides_at, i64 %last
  %step = load i64, ptr %last_place
  %is_one = icmp eq i64 %step, 1
  br i1 %is_one, label %written, label %other_stride

other_stride:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_stride, ptr %program, ptr %kind, ptr %name, i64 %step, i64 %last)
  store i32 3, ptr @weft.status
  ret i1 false

; Rows of what is written must not overlap: a stride is at least as long as a row.
written:
  %is_result = icmp eq ptr %kind, @text_result
  %sizes_at = getelementptr i8, ptr %buffer, i64 16
  %row_place = getelementptr i64, ptr %sizes_at, i64 %last
  %row = load i64, ptr %row_place
  %rows = select i1 %is_result, i64 %last, i64 0
  br label %outer

outer:
  %o = phi i64 [ 0, %written ], [ %o_next, %outer_good ]
  %o_more = icmp slt i64 %o, %rows
  br i1 %o_more, label %apart, label %good

apart:
  %count_place = getelementptr i64, ptr %sizes_at, i64 %o
  %count = load i64, ptr %count_place
  %stride_place = getelementptr i64, ptr %strides_at, i64 %o
  %stride = load i64, ptr %stride_place
  %distance = call i64 @llvm.abs.i64(i64 %stride, i1 false)
  %is_short = icmp slt i64 %distance, %row
  %has_several = icmp sgt i64 %count, 1
  %overlaps = and i1 %is_short, %has_several
  br i1 %overlaps, label %overlap, label %outer_good

overlap:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_overlap, ptr %program, ptr %kind, ptr %name, i64 %stride, i64 %o, i64 %row)
  store i32 3, ptr @weft.status
  ret i1 false

outer_good:
  %o_next = add i64 %o, 1
  br label %outer

good:
  ret i1 true
}

; The name of a type; @weft.types has those of all, and first that of what is none.
define internal ptr @weft.type(i16 %type) {
  %is_known = icmp ule i16 %type, 12
  %known = select i1 %is_known, i16 %type, i16 0
  %number = zext i16 %known to i64
  %name = getelementptr [16 x i8], ptr @weft.types, i64 %number
  ret ptr %name
}

; The descriptor of a buffer, as compiled programs take it.
define internal void @weft.describe(ptr %buffer, i64 %rank, ptr %descriptor) {
start:
  %data = load ptr, ptr %buffer
  store ptr %data, ptr %descriptor
  %aligned = getelementptr i8, ptr %descriptor, i64 8
  store ptr %data, ptr %aligned
  %offset = getelementptr i8, ptr %descriptor, i64 16
  store i64 0, ptr %offset
  %to_extents = getelementptr i8, ptr %descriptor, i64 24
  %to_strides = getelementptr i64, ptr %to_extents, i64 %rank
  %extents = getelementptr i8, ptr %buffer, i64 16
  %strides = getelementptr i8, ptr %buffer, i64 48
  br label %loop

loop:
  %d = phi i64 [ 0, %start ], [ %next, %copy ]
  %more = icmp slt i64 %d, %rank
  br i1 %more, label %copy, label %done

copy:
  %extent_from = getelementptr i64, ptr %extents, i64 %d
  %extent = load i64, ptr %extent_from
  %extent_to = getelementptr i64, ptr %to_extents, i64 %d
  store i64 %extent, ptr %extent_to
  %stride_from = getelementptr i64, ptr %strides, i64 %d
  %stride = load i64, ptr %stride_from
  %stride_to = getelementptr i64, ptr %to_strides, i64 %d
  store i64 %stride, ptr %stride_to
  %next = add i64 %d, 1
  br label %loop

done:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
