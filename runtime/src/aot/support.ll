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
declare i128 @llvm.umin.i128(i128, i128)

; A check of a program has failed: 4 is WEFT_ERROR_CHECK.
define void @weft.failed(ptr %message) {
  call void @weft.say(ptr %message, i32 4)
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

; No two points of what is written may be one: each stride is at least as long as what all dimensions with shorter ones reach.
written:
  %is_result = icmp eq ptr %kind, @text_result
  %is_written = and i1 %is_result, %has_points
  %sizes_at = getelementptr i8, ptr %buffer, i64 16
  %outers = select i1 %is_written, i64 %last, i64 0
  br label %outer

outer:
  %o = phi i64 [ 0, %written ], [ %o_next, %outer_good ]
  %o_more = icmp slt i64 %o, %outers
  br i1 %o_more, label %apart, label %good

apart:
  %count_place = getelementptr i64, ptr %sizes_at, i64 %o
  %count = load i64, ptr %count_place
  %stride_place = getelementptr i64, ptr %strides_at, i64 %o
  %stride = load i64, ptr %stride_place
  %distance = call i64 @llvm.abs.i64(i64 %stride, i1 false)
  br label %within

within:
  %w = phi i64 [ 0, %apart ], [ %w_next, %reached ]
  %span = phi i128 [ 1, %apart ], [ %span_now, %reached ]
  %w_more = icmp sle i64 %w, %last
  br i1 %w_more, label %reached, label %spanned

; Of equal strides the first dimension is around the second. Two factors of 64 bits have a product of 128.
reached:
  %w_count_place = getelementptr i64, ptr %sizes_at, i64 %w
  %w_count = load i64, ptr %w_count_place
  %w_stride_place = getelementptr i64, ptr %strides_at, i64 %w
  %w_stride = load i64, ptr %w_stride_place
  %w_distance = call i64 @llvm.abs.i64(i64 %w_stride, i1 false)
  %is_closer = icmp ult i64 %w_distance, %distance
  %is_equal = icmp eq i64 %w_distance, %distance
  %is_later = icmp sgt i64 %w, %o
  %is_second = and i1 %is_equal, %is_later
  %is_within = or i1 %is_closer, %is_second
  %w_steps = sub i64 %w_count, 1
  %steps_wide = zext i64 %w_steps to i128
  %w_wide = zext i64 %w_distance to i128
  %reach = mul i128 %steps_wide, %w_wide
  %part = select i1 %is_within, i128 %reach, i128 0
  %span_now = add i128 %span, %part
  %w_next = add i64 %w, 1
  br label %within

spanned:
  %wide = zext i64 %distance to i128
  %is_short = icmp ult i128 %wide, %span
  %has_several = icmp sgt i64 %count, 1
  %overlaps = and i1 %is_short, %has_several
  br i1 %overlaps, label %overlap, label %outer_good

overlap:
  %said = call i128 @llvm.umin.i128(i128 %span, i128 9223372036854775807)
  %wanted_stride = trunc i128 %said to i64
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_overlap, ptr %program, ptr %kind, ptr %name, i64 %stride, i64 %o, i64 %wanted_stride)
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

; ---- overlap ----------------------------------------------------------------------------------------------------------------------

; Whether a result shares no memory with another image, an argument or a result before it.
define internal i1 @weft.separate(ptr %program, ptr %name, ptr %buffer, i64 %rank, i64 %size, ptr %kind, ptr %other_name, ptr %other, i64 %other_rank, i64 %other_size) {
start:
  %is_apart = call i1 @weft.apart(ptr %buffer, i64 %rank, i64 %size, ptr %other, i64 %other_rank, i64 %other_size)
  br i1 %is_apart, label %good, label %bad

good:
  ret i1 true

bad:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_alias, ptr %program, ptr %name, ptr %kind, ptr %other_name)
  store i32 10, ptr @weft.status
  ret i1 false
}

; Whether no byte belongs to both of two images. Blocks of the innermost dimensions are looked at, of one, then of two, and so on: with a
; step that divides all strides of the dimensions around, each image's blocks begin at one place behind a multiple of it, so that two
; images are apart where there is room for a block of both in a step. With all dimensions in the block, that is where one image ends
; before the other begins. So parts of one image are told apart: columns, rows, planes. What that does not show is looked at row by row.
define internal i1 @weft.apart(ptr %a, i64 %a_rank, i64 %a_size, ptr %b, i64 %b_rank, i64 %b_size) {
start:
  %left = alloca i64
  br label %blocks

blocks:
  %inner = phi i64 [ 1, %start ], [ %next, %nothing_shown ]
  %a_span = call { i64, i64, i64 } @weft.span(ptr %a, i64 %a_rank, i64 %a_size, i64 %inner)
  %b_span = call { i64, i64, i64 } @weft.span(ptr %b, i64 %b_rank, i64 %b_size, i64 %inner)
  %a_length = extractvalue { i64, i64, i64 } %a_span, 1
  %b_length = extractvalue { i64, i64, i64 } %b_span, 1
  %a_empty = icmp eq i64 %a_length, 0
  %b_empty = icmp eq i64 %b_length, 0
  %empty = or i1 %a_empty, %b_empty
  br i1 %empty, label %apart, label %distance

distance:
  %a_start = extractvalue { i64, i64, i64 } %a_span, 0
  %b_start = extractvalue { i64, i64, i64 } %b_span, 0
  %offset = sub i64 %b_start, %a_start
  %a_step = extractvalue { i64, i64, i64 } %a_span, 2
  %b_step = extractvalue { i64, i64, i64 } %b_span, 2
  %step = call i64 @weft.divisor(i64 %a_step, i64 %b_step)
  %is_one_block = icmp eq i64 %step, 0
  br i1 %is_one_block, label %one_block, label %many_blocks

one_block:
  %is_before = icmp sge i64 %offset, %a_length
  %back = sub i64 0, %offset
  %is_behind = icmp sge i64 %back, %b_length
  %is_beside = or i1 %is_before, %is_behind
  br i1 %is_beside, label %apart, label %nothing_shown

many_blocks:
  %rest = srem i64 %offset, %step
  %is_negative = icmp slt i64 %rest, 0
  %added = add i64 %rest, %step
  %place = select i1 %is_negative, i64 %added, i64 %rest
  %has_room = icmp sge i64 %place, %a_length
  %end = add i64 %place, %b_length
  %fits = icmp sle i64 %end, %step
  %is_between = and i1 %has_room, %fits
  br i1 %is_between, label %apart, label %nothing_shown

nothing_shown:
  %next = add i64 %inner, 1
  %is_last = icmp eq i64 %inner, 4
  br i1 %is_last, label %rows, label %blocks

apart:
  ret i1 true

; So many pairs of parts take some milliseconds: beyond that they count as one memory.
rows:
  store i64 131072, ptr %left
  %meet = call i1 @weft.meet(ptr %a, i64 %a_rank, i64 %a_size, ptr %b, i64 %b_rank, i64 %b_size, ptr %left)
  %is_apart = xor i1 %meet, true
  ret i1 %is_apart
}

; Whether any byte belongs to both. Parts whose ends are apart do not meet; of others the longer one is halved, along the dimension that
; reaches furthest, until both are rows, which have no gaps. No more pairs are looked at than are left.
define internal i1 @weft.meet(ptr %a, i64 %a_rank, i64 %a_size, ptr %b, i64 %b_rank, i64 %b_size, ptr %left) {
start:
  %half = alloca [10 x i64]
  %pairs = load i64, ptr %left
  %is_none_left = icmp eq i64 %pairs, 0
  br i1 %is_none_left, label %yes, label %look

look:
  %fewer = sub i64 %pairs, 1
  store i64 %fewer, ptr %left
  ; All dimensions are in one block.
  %a_span = call { i64, i64, i64 } @weft.span(ptr %a, i64 %a_rank, i64 %a_size, i64 4)
  %b_span = call { i64, i64, i64 } @weft.span(ptr %b, i64 %b_rank, i64 %b_size, i64 4)
  %a_start = extractvalue { i64, i64, i64 } %a_span, 0
  %b_start = extractvalue { i64, i64, i64 } %b_span, 0
  %a_length = extractvalue { i64, i64, i64 } %a_span, 1
  %b_length = extractvalue { i64, i64, i64 } %b_span, 1
  %a_empty = icmp eq i64 %a_length, 0
  %b_empty = icmp eq i64 %b_length, 0
  %empty = or i1 %a_empty, %b_empty
  %offset = sub i64 %b_start, %a_start
  %is_before = icmp sge i64 %offset, %a_length
  %back = sub i64 0, %offset
  %is_behind = icmp sge i64 %back, %b_length
  %is_beside = or i1 %is_before, %is_behind
  %is_apart = or i1 %empty, %is_beside
  br i1 %is_apart, label %no, label %near

near:
  %a_widest = call i64 @weft.widest(ptr %a, i64 %a_rank)
  %b_widest = call i64 @weft.widest(ptr %b, i64 %b_rank)
  %a_is_row = icmp slt i64 %a_widest, 0
  %b_is_row = icmp slt i64 %b_widest, 0
  %are_rows = and i1 %a_is_row, %b_is_row
  br i1 %are_rows, label %yes, label %halve

halve:
  %a_is_longer = icmp sge i64 %a_length, %b_length
  %a_or_row = or i1 %a_is_longer, %b_is_row
  %b_is_kept = xor i1 %a_is_row, true
  %is_a = and i1 %a_or_row, %b_is_kept
  %cut = select i1 %is_a, ptr %a, ptr %b
  %cut_rank = select i1 %is_a, i64 %a_rank, i64 %b_rank
  %cut_size = select i1 %is_a, i64 %a_size, i64 %b_size
  %along = select i1 %is_a, i64 %a_widest, i64 %b_widest
  %whole = select i1 %is_a, ptr %b, ptr %a
  %whole_rank = select i1 %is_a, i64 %b_rank, i64 %a_rank
  %whole_size = select i1 %is_a, i64 %b_size, i64 %a_size
  call void @llvm.memcpy.p0.p0.i64(ptr %half, ptr %cut, i64 80, i1 false)
  %extents = getelementptr i8, ptr %half, i64 16
  %strides = getelementptr i8, ptr %half, i64 48
  %extent_place = getelementptr i64, ptr %extents, i64 %along
  %stride_place = getelementptr i64, ptr %strides, i64 %along
  %extent = load i64, ptr %extent_place
  %stride = load i64, ptr %stride_place
  %first = lshr i64 %extent, 1
  store i64 %first, ptr %extent_place
  %first_meets = call i1 @weft.meet(ptr %half, i64 %cut_rank, i64 %cut_size, ptr %whole, i64 %whole_rank, i64 %whole_size, ptr %left)
  br i1 %first_meets, label %yes, label %other

other:
  %second = sub i64 %extent, %first
  store i64 %second, ptr %extent_place
  %rows = mul i64 %first, %stride
  %bytes = mul i64 %rows, %cut_size
  %data = load ptr, ptr %half
  %moved = getelementptr i8, ptr %data, i64 %bytes
  store ptr %moved, ptr %half
  %second_meets = call i1 @weft.meet(ptr %half, i64 %cut_rank, i64 %cut_size, ptr %whole, i64 %whole_rank, i64 %whole_size, ptr %left)
  ret i1 %second_meets

yes:
  ret i1 true

no:
  ret i1 false
}

; The dimension but the last that reaches furthest; -1 of a row. Where a stride is 0, all are the same place.
define internal i64 @weft.widest(ptr %buffer, i64 %rank) {
start:
  %extents = getelementptr i8, ptr %buffer, i64 16
  %strides = getelementptr i8, ptr %buffer, i64 48
  %outer = sub i64 %rank, 1
  br label %dimensions

dimensions:
  %d = phi i64 [ 0, %start ], [ %next, %dimension ]
  %widest = phi i64 [ -1, %start ], [ %widest_now, %dimension ]
  %most = phi i64 [ 0, %start ], [ %most_now, %dimension ]
  %more = icmp slt i64 %d, %outer
  br i1 %more, label %dimension, label %done

dimension:
  %extent_place = getelementptr i64, ptr %extents, i64 %d
  %extent = load i64, ptr %extent_place
  %stride_place = getelementptr i64, ptr %strides, i64 %d
  %stride = load i64, ptr %stride_place
  %distance = call i64 @llvm.abs.i64(i64 %stride, i1 false)
  %last = sub i64 %extent, 1
  %reach = mul i64 %last, %distance
  %is_further = icmp sgt i64 %reach, %most
  %widest_now = select i1 %is_further, i64 %d, i64 %widest
  %most_now = select i1 %is_further, i64 %reach, i64 %most
  %next = add i64 %d, 1
  br label %dimensions

done:
  ret i64 %widest
}

; The first block of so many inner dimensions of an image: where it begins, its bytes (0 where the image has no points), and the greatest
; step that divides all strides, in bytes, of the other dimensions (0 where there are no other blocks).
define internal { i64, i64, i64 } @weft.span(ptr %buffer, i64 %rank, i64 %size, i64 %inner) {
start:
  %data = load ptr, ptr %buffer
  %address = ptrtoint ptr %data to i64
  %extents = getelementptr i8, ptr %buffer, i64 16
  %strides = getelementptr i8, ptr %buffer, i64 48
  %outer = sub i64 %rank, %inner
  br label %dimensions

dimensions:
  %d = phi i64 [ 0, %start ], [ %next, %dimension ]
  %low = phi i64 [ 0, %start ], [ %low_now, %dimension ]
  %high = phi i64 [ %size, %start ], [ %high_now, %dimension ]
  %step = phi i64 [ 0, %start ], [ %step_now, %dimension ]
  %empty = phi i1 [ false, %start ], [ %empty_now, %dimension ]
  %more = icmp slt i64 %d, %rank
  br i1 %more, label %dimension, label %done

dimension:
  %extent_place = getelementptr i64, ptr %extents, i64 %d
  %extent = load i64, ptr %extent_place
  %stride_place = getelementptr i64, ptr %strides, i64 %d
  %stride = load i64, ptr %stride_place
  %bytes = mul i64 %stride, %size
  %is_none = icmp eq i64 %extent, 0
  %empty_now = or i1 %empty, %is_none
  %last = sub i64 %extent, 1
  %reach = mul i64 %last, %bytes
  %is_inner = icmp sge i64 %d, %outer
  %inner_reach = select i1 %is_inner, i64 %reach, i64 0
  %below = call i64 @llvm.smin.i64(i64 %inner_reach, i64 0)
  %above = call i64 @llvm.smax.i64(i64 %inner_reach, i64 0)
  %low_now = add i64 %low, %below
  %high_now = add i64 %high, %above
  %is_single = icmp sle i64 %extent, 1
  %is_no_step = or i1 %is_inner, %is_single
  %counted = select i1 %is_no_step, i64 0, i64 %bytes
  %distance = call i64 @llvm.abs.i64(i64 %counted, i1 false)
  %step_now = call i64 @weft.divisor(i64 %step, i64 %distance)
  %next = add i64 %d, 1
  br label %dimensions

done:
  %first = add i64 %address, %low
  %length = sub i64 %high, %low
  %some = select i1 %empty, i64 0, i64 %length
  %0 = insertvalue { i64, i64, i64 } poison, i64 %first, 0
  %1 = insertvalue { i64, i64, i64 } %0, i64 %some, 1
  %2 = insertvalue { i64, i64, i64 } %1, i64 %step, 2
  ret { i64, i64, i64 } %2
}

; The greatest common divisor; that of 0 and a number is the number.
define internal i64 @weft.divisor(i64 %a, i64 %b) {
start:
  br label %loop

loop:
  %first = phi i64 [ %a, %start ], [ %second, %divide ]
  %second = phi i64 [ %b, %start ], [ %rest, %divide ]
  %is_done = icmp eq i64 %second, 0
  br i1 %is_done, label %done, label %divide

divide:
  %rest = urem i64 %first, %second
  br label %loop

done:
  ret i64 %first
}

declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)

; ---- descriptors ------------------------------------------------------------------------------------------------------------------

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
