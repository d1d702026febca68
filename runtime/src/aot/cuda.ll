; What the C functions of programs for NVIDIA's GPUs share: the driver, memory on both sides, and what MLIR's host code calls (mgpu...).
; It stands beside support.ll in one module; the texts and the tables of the driver's functions (@weft.cu...) are made by interface.rs.
;
;   weft_f:  checks ─▶ weft.begin ─▶ weft.place, weft.copy ─▶ _mlir_ciface_f ─▶ weft.wait ─▶ weft.copy ─▶ weft.free ─▶ weft.end
;                      driver, context      arguments            launches                     results
;
;   weft_f_on_gpu:  checks ─▶ weft.lies ─▶ weft.join ─▶ _mlir_ciface_f
;                             dense        driver        launches, memory in the stream's order
;
; The driver is opened by the first call; its context and the modules that were loaded stay until the process ends. A lock is held while
; one of them is made, and none once they are there. All else is a call's own: memory of the GPU, and work in the calling thread's own
; stream (CU_STREAM_PER_THREAD, which is 2), so that calls of several threads run side by side; or in the caller's context and stream.
;
; After the first failure of a call all functions here do nothing but give back what it holds; the failure is the thread's status.

%node = type { ptr, ptr, ptr, ptr } ; a module that was loaded: its PTX, its context, the driver's handle, the next
%plane = type { i64, i64, i32, ptr, i64, ptr, i64, i64, i64, i32, ptr, i64, ptr, i64, i64, i64 } ; CUDA_MEMCPY2D

; A pthread_mutex_t as PTHREAD_MUTEX_INITIALIZER makes it, with room for that of any Linux.
@weft.lock = internal global [64 x i8] zeroinitializer, align 16
@weft.library = internal global ptr null
@weft.context = internal global ptr null
@weft.modules = internal global ptr null
; Whose call this is and which kernel it speaks of, for messages.
@weft.program = internal thread_local global ptr null
@weft.kernel = internal thread_local global ptr null
; Where it runs: the context and the stream; and whether memory is had and given back in the stream's order.
@weft.current = internal thread_local global ptr null
@weft.stream = internal thread_local global ptr null
@weft.is_ordered = internal thread_local global i1 false

declare ptr @dlopen(ptr, i32)
declare ptr @dlsym(ptr, ptr)
declare ptr @dlerror()
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare ptr @malloc(i64)
declare i64 @strlen(ptr)

; ---- failures ---------------------------------------------------------------------------------------------------------------------

; Whether a call of this thread has failed by now.
define internal i1 @weft.has_failed() {
  %status = load i32, ptr @weft.status
  %failed = icmp ne i32 %status, 0
  ret i1 %failed
}

; Whether the driver did what it was asked for. If not, the message says that %format cannot be, and why; CUDA_ERROR_OUT_OF_MEMORY (2)
; has the status 6, WEFT_ERROR_MEMORY, and all else has %status.
define internal i1 @weft.good(i32 %result, i32 %status, ptr %format, ptr %first, ptr %second) {
start:
  %what = alloca [256 x i8]
  %why = alloca ptr
  %name = alloca ptr
  %fine = icmp eq i32 %result, 0
  br i1 %fine, label %good, label %bad

good:
  ret i1 true

bad:
  %is_told = call i1 @weft.has_failed()
  br i1 %is_told, label %told, label %tell

told:
  ret i1 false

tell:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr %what, i64 256, ptr %format, ptr %first, ptr %second)
  store ptr null, ptr %why
  store ptr null, ptr %name
  %ask_why = load ptr, ptr @weft.cuGetErrorString
  call i32 %ask_why(i32 %result, ptr %why)
  %ask_name = load ptr, ptr @weft.cuGetErrorName
  call i32 %ask_name(i32 %result, ptr %name)
  %said_why = load ptr, ptr %why
  %said_name = load ptr, ptr %name
  %no_why = icmp eq ptr %said_why, null
  %no_name = icmp eq ptr %said_name, null
  %the_why = select i1 %no_why, ptr @text_unknown, ptr %said_why
  %the_name = select i1 %no_name, ptr @text_unknown, ptr %said_name
  %program = load ptr, ptr @weft.program
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_refused, ptr %program, ptr %what, ptr %the_why, ptr %the_name)
  %is_short = icmp eq i32 %result, 2
  %code = select i1 %is_short, i32 6, i32 %status
  store i32 %code, ptr @weft.status
  ret i1 false
}

; ---- the driver -------------------------------------------------------------------------------------------------------------------

; Opens the driver and the GPU, if no call has done so yet.
define internal i1 @weft.open() {
start:
  %is_there = call i1 @weft.driver()
  br i1 %is_there, label %device, label %failed

device:
  %is_open = call i1 @weft.once(ptr @weft.context, ptr @weft.open_context)
  ret i1 %is_open

failed:
  ret i1 false
}

; Opens the driver's library, if no call has done so yet.
define internal i1 @weft.driver() {
  %is_there = call i1 @weft.once(ptr @weft.library, ptr @weft.open_library)
  ret i1 %is_there
}

; Lets %make fill a variable in, unless it is. Where it fails, the next call tries again.
define internal i1 @weft.once(ptr %variable, ptr %make) {
start:
  %known = load atomic ptr, ptr %variable acquire, align 8
  %is_known = icmp ne ptr %known, null
  br i1 %is_known, label %open, label %wait

open:
  ret i1 true

wait:
  call i32 @pthread_mutex_lock(ptr @weft.lock)
  %now = load ptr, ptr %variable
  %is_made = icmp ne ptr %now, null
  br i1 %is_made, label %done, label %first

first:
  %made = call i1 %make()
  br label %done

done:
  %result = phi i1 [ true, %wait ], [ %made, %first ]
  call i32 @pthread_mutex_unlock(ptr @weft.lock)
  ret i1 %result
}

define internal i1 @weft.open_library() {
start:
  %program = load ptr, ptr @weft.program
  ; 2 is RTLD_NOW
  %library = call ptr @dlopen(ptr @text_library, i32 2)
  %is_absent = icmp eq ptr %library, null
  br i1 %is_absent, label %absent, label %functions

absent:
  %reason = call ptr @dlerror()
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_driver, ptr %program, ptr %reason)
  store i32 5, ptr @weft.status
  ret i1 false

functions:
  call ptr @weft.find_functions(ptr %library, ptr @weft.options)
  %missing = call ptr @weft.find_functions(ptr %library, ptr @weft.functions)
  %has_all = icmp eq ptr %missing, null
  br i1 %has_all, label %keep, label %lacks

lacks:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_lacks, ptr %program, ptr %missing)
  store i32 5, ptr @weft.status
  ret i1 false

keep:
  store atomic ptr %library, ptr @weft.library release, align 8
  ret i1 true
}

; Fills in the functions of a table, which ends in one without a name; gives the name of one that is not there, or null.
define internal ptr @weft.find_functions(ptr %library, ptr %table) {
start:
  br label %functions

functions:
  %row = phi ptr [ %table, %start ], [ %next_row, %find ]
  %missing = phi ptr [ null, %start ], [ %missing_now, %find ]
  %name = load ptr, ptr %row
  %is_end = icmp eq ptr %name, null
  br i1 %is_end, label %done, label %find

find:
  %function = call ptr @dlsym(ptr %library, ptr %name)
  %is_missing = icmp eq ptr %function, null
  %missing_now = select i1 %is_missing, ptr %name, ptr %missing
  %to_place = getelementptr ptr, ptr %row, i64 1
  %function_place = load ptr, ptr %to_place
  store ptr %function, ptr %function_place
  %next_row = getelementptr ptr, ptr %row, i64 2
  br label %functions

done:
  ret ptr %missing
}

define internal i1 @weft.open_context() {
start:
  %device = alloca i32
  %place = alloca ptr
  %init_function = load ptr, ptr @weft.cuInit
  %init_result = call i32 %init_function(i32 0)
  %has_begun = call i1 @weft.good(i32 %init_result, i32 5, ptr @text_start, ptr null, ptr null)
  br i1 %has_begun, label %first_device, label %failed

first_device:
  %get_function = load ptr, ptr @weft.cuDeviceGet
  %get_result = call i32 %get_function(ptr %device, i32 0)
  %has_device = call i1 @weft.good(i32 %get_result, i32 5, ptr @text_device, ptr null, ptr null)
  br i1 %has_device, label %retain, label %failed

retain:
  %number = load i32, ptr %device
  %retain_function = load ptr, ptr @weft.cuDevicePrimaryCtxRetain
  %retain_result = call i32 %retain_function(ptr %place, i32 %number)
  %has_context = call i1 @weft.good(i32 %retain_result, i32 5, ptr @text_context, ptr null, ptr null)
  br i1 %has_context, label %keep, label %failed

keep:
  %context = load ptr, ptr %place
  store atomic ptr %context, ptr @weft.context release, align 8
  ret i1 true

failed:
  ret i1 false
}

; The module of a PTX text in the call's context, or null.
define internal ptr @weft.find(ptr %text) {
start:
  %context = load ptr, ptr @weft.current
  %first = load atomic ptr, ptr @weft.modules acquire, align 8
  br label %look

look:
  %node = phi ptr [ %first, %start ], [ %next, %other ]
  %is_end = icmp eq ptr %node, null
  br i1 %is_end, label %none, label %compare

none:
  ret ptr null

compare:
  %its_text = load ptr, ptr %node
  %is_text = icmp eq ptr %its_text, %text
  %to_context = getelementptr %node, ptr %node, i64 0, i32 1
  %its_context = load ptr, ptr %to_context
  %is_context = icmp eq ptr %its_context, %context
  %is_it = and i1 %is_text, %is_context
  %to_module = getelementptr %node, ptr %node, i64 0, i32 2
  %module = load ptr, ptr %to_module
  %to_next = getelementptr %node, ptr %node, i64 0, i32 3
  %next = load ptr, ptr %to_next
  br i1 %is_it, label %found, label %other

found:
  ret ptr %module

other:
  br label %look
}

; The module of a PTX text, which is loaded if no call has done so yet; null if it cannot be.
define internal ptr @weft.module(ptr %text) {
start:
  %known = call ptr @weft.find(ptr %text)
  %is_known = icmp ne ptr %known, null
  br i1 %is_known, label %loaded, label %wait

loaded:
  ret ptr %known

wait:
  call i32 @pthread_mutex_lock(ptr @weft.lock)
  %now = call ptr @weft.find(ptr %text)
  %is_now = icmp ne ptr %now, null
  br i1 %is_now, label %done, label %first

first:
  %made = call ptr @weft.load(ptr %text)
  br label %done

done:
  %module = phi ptr [ %now, %wait ], [ %made, %first ]
  call i32 @pthread_mutex_unlock(ptr @weft.lock)
  ret ptr %module
}

; Loads a PTX text and remembers its module. What the driver's compiler says of the text ends the message, in one line.
define internal ptr @weft.load(ptr %text) {
start:
  %place = alloca ptr
  %log = alloca [512 x i8]
  %options = alloca [2 x i32]
  %values = alloca [2 x ptr]
  store i8 0, ptr %log
  ; CU_JIT_ERROR_LOG_BUFFER and its size
  store i32 5, ptr %options
  %option = getelementptr i32, ptr %options, i64 1
  store i32 6, ptr %option
  store ptr %log, ptr %values
  %value = getelementptr ptr, ptr %values, i64 1
  store i64 512, ptr %value
  %node = call ptr @malloc(i64 32)
  %is_short = icmp eq ptr %node, null
  br i1 %is_short, label %short, label %load

short:
  call i1 @weft.good(i32 2, i32 6, ptr @text_load, ptr null, ptr null)
  ret ptr null

load:
  %load_function = load ptr, ptr @weft.cuModuleLoadDataEx
  %result = call i32 %load_function(ptr %place, ptr %text, i32 2, ptr %options, ptr %values)
  %is_good = call i1 @weft.good(i32 %result, i32 7, ptr @text_load, ptr null, ptr null)
  br i1 %is_good, label %good, label %bad

good:
  %module = load ptr, ptr %place
  store ptr %text, ptr %node
  %context = load ptr, ptr @weft.current
  %to_context = getelementptr %node, ptr %node, i64 0, i32 1
  store ptr %context, ptr %to_context
  %to_module = getelementptr %node, ptr %node, i64 0, i32 2
  store ptr %module, ptr %to_module
  %to_next = getelementptr %node, ptr %node, i64 0, i32 3
  %rest = load ptr, ptr @weft.modules
  store ptr %rest, ptr %to_next
  store atomic ptr %node, ptr @weft.modules release, align 8
  ret ptr %module

bad:
  call void @free(ptr %node)
  br label %letters

letters:
  %at = phi i64 [ 0, %bad ], [ %next, %plain ]
  %letter_place = getelementptr i8, ptr %log, i64 %at
  %letter = load i8, ptr %letter_place
  %is_last = icmp eq i64 %at, 511
  %is_end = icmp eq i8 %letter, 0
  %ends = or i1 %is_last, %is_end
  br i1 %ends, label %ended, label %plain

plain:
  %is_control = icmp ult i8 %letter, 32
  %shown = select i1 %is_control, i8 32, i8 %letter
  store i8 %shown, ptr %letter_place
  %next = add i64 %at, 1
  br label %letters

ended:
  store i8 0, ptr %letter_place
  %has_none = icmp eq i64 %at, 0
  br i1 %has_none, label %failed, label %say

say:
  %used = call i64 @strlen(ptr @weft.message)
  %room = sub i64 1024, %used
  %end = getelementptr i8, ptr @weft.message, i64 %used
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr %end, i64 %room, ptr @text_log, ptr %log)
  br label %failed

failed:
  ret ptr null
}

declare void @free(ptr)

; ---- a call -----------------------------------------------------------------------------------------------------------------------

; The first thing on the GPU's side. What was the thread's current context is so again after weft.end.
define internal i1 @weft.begin(ptr %program) {
start:
  store ptr %program, ptr @weft.program
  store ptr inttoptr (i64 2 to ptr), ptr @weft.stream
  store i1 false, ptr @weft.is_ordered
  %is_open = call i1 @weft.open()
  br i1 %is_open, label %push, label %failed

push:
  %context = load ptr, ptr @weft.context
  store ptr %context, ptr @weft.current
  %push_function = load ptr, ptr @weft.cuCtxPushCurrent_v2
  %result = call i32 %push_function(ptr %context)
  %is_good = call i1 @weft.good(i32 %result, i32 7, ptr @text_context, ptr null, ptr null)
  ret i1 %is_good

failed:
  ret i1 false
}

define internal void @weft.end() {
  %context = alloca ptr
  %pop = load ptr, ptr @weft.cuCtxPopCurrent_v2
  call i32 %pop(ptr %context)
  ret void
}

; The first thing of a call on images that lie on the GPU: it goes on in the thread's current context, on the caller's stream.
define internal i1 @weft.join(ptr %program, ptr %stream) {
start:
  %place = alloca ptr
  store ptr null, ptr %place
  store ptr %program, ptr @weft.program
  store ptr %stream, ptr @weft.stream
  %is_there = call i1 @weft.driver()
  br i1 %is_there, label %ask, label %failed

ask:
  %allocate = load ptr, ptr @weft.cuMemAllocAsync
  %free = load ptr, ptr @weft.cuMemFreeAsync
  %allocates = icmp ne ptr %allocate, null
  %frees = icmp ne ptr %free, null
  %is_ordered = and i1 %allocates, %frees
  store i1 %is_ordered, ptr @weft.is_ordered
  %get_function = load ptr, ptr @weft.cuCtxGetCurrent
  %result = call i32 %get_function(ptr %place)
  %is_good = call i1 @weft.good(i32 %result, i32 7, ptr @text_context, ptr null, ptr null)
  br i1 %is_good, label %look, label %failed

look:
  %context = load ptr, ptr %place
  store ptr %context, ptr @weft.current
  %is_none = icmp eq ptr %context, null
  br i1 %is_none, label %none, label %joined

none:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_none, ptr %program)
  store i32 7, ptr @weft.status
  ret i1 false

joined:
  ret i1 true

failed:
  ret i1 false
}

; Waits until all is done that this call has asked for, also after a failure: nothing may be freed before.
define internal void @weft.wait() {
  %stream = load ptr, ptr @weft.stream
  %synchronize = load ptr, ptr @weft.cuStreamSynchronize
  %result = call i32 %synchronize(ptr %stream)
  call i1 @weft.good(i32 %result, i32 7, ptr @text_run, ptr null, ptr null)
  ret void
}

; Memory of the GPU, which has no memory of no bytes; 0 if there is none. %format names the bytes, and perhaps whose they are.
define internal i64 @weft.alloc(i64 %bytes, ptr %format, ptr %kind, ptr %name) {
start:
  %place = alloca i64
  %what = alloca [256 x i8]
  store i64 0, ptr %place
  %failed = call i1 @weft.has_failed()
  br i1 %failed, label %none, label %ask

none:
  ret i64 0

ask:
  %some = call i64 @llvm.umax.i64(i64 %bytes, i64 1)
  %is_ordered = load i1, ptr @weft.is_ordered
  br i1 %is_ordered, label %in_order, label %at_once

in_order:
  %stream = load ptr, ptr @weft.stream
  %allocate_in_order = load ptr, ptr @weft.cuMemAllocAsync
  %ordered_result = call i32 %allocate_in_order(ptr %place, i64 %some, ptr %stream)
  ; CUDA_ERROR_NOT_SUPPORTED: the GPU has no such memory, which the first allocation of a call shows.
  %is_unknown = icmp eq i32 %ordered_result, 801
  br i1 %is_unknown, label %not_ordered, label %asked

not_ordered:
  store i1 false, ptr @weft.is_ordered
  br label %at_once

at_once:
  %allocate = load ptr, ptr @weft.cuMemAlloc_v2
  %plain_result = call i32 %allocate(ptr %place, i64 %some)
  br label %asked

asked:
  %result = phi i32 [ %ordered_result, %in_order ], [ %plain_result, %at_once ]
  %fine = icmp eq i32 %result, 0
  br i1 %fine, label %good, label %bad

good:
  %address = load i64, ptr %place
  ret i64 %address

bad:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr %what, i64 256, ptr %format, i64 %bytes, ptr %kind, ptr %name)
  call i1 @weft.good(i32 %result, i32 7, ptr @text_plain, ptr %what, ptr null)
  ret i64 0
}

; The descriptor of a buffer as if it were dense, but for its address; gives its points.
define internal i64 @weft.dense(ptr %buffer, i64 %rank, ptr %descriptor) {
start:
  %offset = getelementptr i8, ptr %descriptor, i64 16
  store i64 0, ptr %offset
  %extents = getelementptr i8, ptr %buffer, i64 16
  %to_extents = getelementptr i8, ptr %descriptor, i64 24
  %to_strides = getelementptr i64, ptr %to_extents, i64 %rank
  br label %dimension

dimension:
  %d = phi i64 [ %rank, %start ], [ %last, %more ]
  %stride = phi i64 [ 1, %start ], [ %points, %more ]
  %has_more = icmp sgt i64 %d, 0
  br i1 %has_more, label %more, label %done

more:
  %last = sub i64 %d, 1
  %extent_from = getelementptr i64, ptr %extents, i64 %last
  %extent = load i64, ptr %extent_from
  %extent_to = getelementptr i64, ptr %to_extents, i64 %last
  store i64 %extent, ptr %extent_to
  %stride_to = getelementptr i64, ptr %to_strides, i64 %last
  store i64 %stride, ptr %stride_to
  %points = mul i64 %stride, %extent
  br label %dimension

done:
  ret i64 %stride
}

; Memory of the GPU for a buffer of elements of %size bytes, dense, and its descriptor.
define internal void @weft.place(ptr %buffer, i64 %rank, i64 %size, ptr %descriptor, ptr %kind, ptr %name) {
  %points = call i64 @weft.dense(ptr %buffer, i64 %rank, ptr %descriptor)
  %bytes = mul i64 %points, %size
  %address = call i64 @weft.alloc(i64 %bytes, ptr @text_memory, ptr %kind, ptr %name)
  store i64 %address, ptr %descriptor
  %aligned = getelementptr i8, ptr %descriptor, i64 8
  store i64 %address, ptr %aligned
  ret void
}

; The descriptor of a buffer whose memory is the GPU's; whether it can be one. Kernels know no gaps, and read 16 bytes at once. (Along a
; dimension of one point there is no step, whatever the stride.)
define internal i1 @weft.lies(ptr %program, ptr %kind, ptr %name, ptr %buffer, i64 %rank, ptr %descriptor) {
start:
  %points = call i64 @weft.dense(ptr %buffer, i64 %rank, ptr %descriptor)
  %address = load i64, ptr %buffer
  store i64 %address, ptr %descriptor
  %aligned = getelementptr i8, ptr %descriptor, i64 8
  store i64 %address, ptr %aligned
  %extents = getelementptr i8, ptr %buffer, i64 16
  %strides = getelementptr i8, ptr %buffer, i64 48
  %dense_extents = getelementptr i8, ptr %descriptor, i64 24
  %dense_strides = getelementptr i64, ptr %dense_extents, i64 %rank
  %is_empty = icmp eq i64 %points, 0
  br i1 %is_empty, label %good, label %dimension

dimension:
  %d = phi i64 [ 0, %start ], [ %next, %fine ]
  %has_more = icmp slt i64 %d, %rank
  br i1 %has_more, label %compare, label %align

compare:
  %extent_place = getelementptr i64, ptr %extents, i64 %d
  %extent = load i64, ptr %extent_place
  %stride_place = getelementptr i64, ptr %strides, i64 %d
  %stride = load i64, ptr %stride_place
  %dense_place = getelementptr i64, ptr %dense_strides, i64 %d
  %dense = load i64, ptr %dense_place
  %is_single = icmp eq i64 %extent, 1
  %is_dense = icmp eq i64 %stride, %dense
  %fits = or i1 %is_single, %is_dense
  br i1 %fits, label %fine, label %gap

fine:
  %next = add i64 %d, 1
  br label %dimension

gap:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_gap, ptr %program, ptr %kind, ptr %name, i64 %stride, i64 %d, i64 %dense)
  store i32 3, ptr @weft.status
  ret i1 false

align:
  %rest = and i64 %address, 15
  %is_aligned = icmp eq i64 %rest, 0
  br i1 %is_aligned, label %good, label %unaligned

unaligned:
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr @weft.message, i64 1024, ptr @text_aligned, ptr %program, ptr %kind, ptr %name, i64 %address)
  store i32 11, ptr @weft.status
  ret i1 false

good:
  ret i1 true
}

; Gives back what weft.place has allocated, if anything.
define internal void @weft.free(ptr %descriptor) {
start:
  %address = load i64, ptr %descriptor
  %is_none = icmp eq i64 %address, 0
  br i1 %is_none, label %done, label %give

give:
  %free_function = load ptr, ptr @weft.cuMemFree_v2
  call i32 %free_function(i64 %address)
  br label %done

done:
  ret void
}

; Copies a buffer to the memory that weft.place gave it, or from there if it is a result. Inner dimensions that are dense together are a
; row; rows that are equally far apart are a plane. Planes are copied one by one.
define internal void @weft.copy(ptr %buffer, i64 %rank, i64 %size, ptr %descriptor, ptr %kind, ptr %name) {
start:
  %data = load ptr, ptr %buffer
  %address = load i64, ptr %descriptor
  %extents = getelementptr i8, ptr %buffer, i64 16
  %strides = getelementptr i8, ptr %buffer, i64 48
  %is_argument = icmp eq ptr %kind, @text_argument
  %failed = call i1 @weft.has_failed()
  br i1 %failed, label %done, label %fold

fold:
  %d = phi i64 [ %rank, %start ], [ %inner, %joined ]
  %run = phi i64 [ 1, %start ], [ %longer, %joined ]
  %has_inner = icmp sgt i64 %d, 0
  br i1 %has_inner, label %join, label %rows

join:
  %inner = sub i64 %d, 1
  %inner_extent_place = getelementptr i64, ptr %extents, i64 %inner
  %inner_extent = load i64, ptr %inner_extent_place
  %inner_stride_place = getelementptr i64, ptr %strides, i64 %inner
  %inner_stride = load i64, ptr %inner_stride_place
  %is_single = icmp eq i64 %inner_extent, 1
  %is_next = icmp eq i64 %inner_stride, %run
  %joins = or i1 %is_single, %is_next
  br i1 %joins, label %joined, label %rows

joined:
  %longer = mul i64 %run, %inner_extent
  br label %fold

rows:
  %height = phi i64 [ 1, %fold ], [ %inner_extent, %join ]
  %step = phi i64 [ 0, %fold ], [ %inner_stride, %join ]
  %outer = phi i64 [ 0, %fold ], [ %inner, %join ]
  %width = mul i64 %run, %size
  %pitch = mul i64 %step, %size
  %plane_bytes = mul i64 %width, %height
  br label %count

count:
  %c = phi i64 [ 0, %rows ], [ %c_next, %counted ]
  %planes = phi i64 [ 1, %rows ], [ %planes_next, %counted ]
  %counts = icmp slt i64 %c, %outer
  br i1 %counts, label %counted, label %begin

counted:
  %count_place = getelementptr i64, ptr %extents, i64 %c
  %count_extent = load i64, ptr %count_place
  %planes_next = mul i64 %planes, %count_extent
  %c_next = add i64 %c, 1
  br label %count

begin:
  %is_empty = icmp eq i64 %plane_bytes, 0
  br i1 %is_empty, label %done, label %plane

plane:
  %p = phi i64 [ 0, %begin ], [ %p_next, %copied ]
  %has_plane = icmp slt i64 %p, %planes
  br i1 %has_plane, label %place, label %done

; Where the plane begins: its number, digit by digit, the innermost first.
place:
  %o = phi i64 [ %outer, %plane ], [ %o_next, %digit ]
  %rest = phi i64 [ %p, %plane ], [ %rest_next, %digit ]
  %offset = phi i64 [ 0, %plane ], [ %offset_next, %digit ]
  %has_digit = icmp sgt i64 %o, 0
  br i1 %has_digit, label %digit, label %copy

digit:
  %o_next = sub i64 %o, 1
  %digit_extent_place = getelementptr i64, ptr %extents, i64 %o_next
  %digit_extent = load i64, ptr %digit_extent_place
  %digit_stride_place = getelementptr i64, ptr %strides, i64 %o_next
  %digit_stride = load i64, ptr %digit_stride_place
  %number = srem i64 %rest, %digit_extent
  %rest_next = sdiv i64 %rest, %digit_extent
  %far = mul i64 %number, %digit_stride
  %offset_next = add i64 %offset, %far
  br label %place

copy:
  %host_offset = mul i64 %offset, %size
  %host = getelementptr i8, ptr %data, i64 %host_offset
  %device_offset = mul i64 %p, %plane_bytes
  %device = add i64 %address, %device_offset
  %result = call i32 @weft.copy_plane(i1 %is_argument, ptr %host, i64 %device, i64 %width, i64 %height, i64 %pitch)
  %is_good = call i1 @weft.good(i32 %result, i32 7, ptr @text_copy, ptr %kind, ptr %name)
  br i1 %is_good, label %copied, label %done

copied:
  %p_next = add i64 %p, 1
  br label %plane

done:
  ret void
}

; Copies rows of %width bytes, one behind the other on the GPU and %pitch bytes apart on the host; the driver's result. The driver knows
; planes whose rows go forward and do not overlap; others are copied row by row.
define internal i32 @weft.copy_plane(i1 %to_device, ptr %host, i64 %device, i64 %width, i64 %height, i64 %pitch) {
start:
  %plane = alloca %plane
  %has_rows = icmp sgt i64 %height, 1
  %is_apart = icmp sge i64 %pitch, %width
  ; No GPU allows a larger pitch (CU_DEVICE_ATTRIBUTE_MAX_PITCH).
  %is_near = icmp sle i64 %pitch, 2147483647
  %is_ordered = and i1 %is_apart, %is_near
  %is_plane = and i1 %has_rows, %is_ordered
  br i1 %is_plane, label %whole, label %row

; The first half says where from, the second, 7 words on, where to. 1 is CU_MEMORYTYPE_HOST, 2 is CU_MEMORYTYPE_DEVICE.
whole:
  call void @llvm.memset.p0.i64(ptr %plane, i8 0, i64 128, i1 false)
  %host_half = select i1 %to_device, i64 0, i64 7
  %device_half = select i1 %to_device, i64 7, i64 0
  %of_host = getelementptr i64, ptr %plane, i64 %host_half
  %of_device = getelementptr i64, ptr %plane, i64 %device_half
  %host_type = getelementptr i64, ptr %of_host, i64 2
  store i32 1, ptr %host_type
  %host_address = getelementptr i64, ptr %of_host, i64 3
  store ptr %host, ptr %host_address
  %host_pitch = getelementptr i64, ptr %of_host, i64 6
  store i64 %pitch, ptr %host_pitch
  %device_type = getelementptr i64, ptr %of_device, i64 2
  store i32 2, ptr %device_type
  %device_address = getelementptr i64, ptr %of_device, i64 4
  store i64 %device, ptr %device_address
  %device_pitch = getelementptr i64, ptr %of_device, i64 6
  store i64 %width, ptr %device_pitch
  %columns = getelementptr %plane, ptr %plane, i64 0, i32 14
  store i64 %width, ptr %columns
  %lines = getelementptr %plane, ptr %plane, i64 0, i32 15
  store i64 %height, ptr %lines
  %copy_plane = load ptr, ptr @weft.cuMemcpy2DAsync_v2
  %whole_result = call i32 %copy_plane(ptr %plane, ptr inttoptr (i64 2 to ptr))
  ret i32 %whole_result

row:
  %r = phi i64 [ 0, %start ], [ %r_next, %copied ]
  %has_more = icmp slt i64 %r, %height
  br i1 %has_more, label %one, label %done

one:
  %host_far = mul i64 %r, %pitch
  %host_row = getelementptr i8, ptr %host, i64 %host_far
  %device_far = mul i64 %r, %width
  %device_row = add i64 %device, %device_far
  br i1 %to_device, label %in, label %out

in:
  %copy_in = load ptr, ptr @weft.cuMemcpyHtoDAsync_v2
  %in_result = call i32 %copy_in(i64 %device_row, ptr %host_row, i64 %width, ptr inttoptr (i64 2 to ptr))
  br label %copied

out:
  %copy_out = load ptr, ptr @weft.cuMemcpyDtoHAsync_v2
  %out_result = call i32 %copy_out(ptr %host_row, i64 %device_row, i64 %width, ptr inttoptr (i64 2 to ptr))
  br label %copied

copied:
  %result = phi i32 [ %in_result, %in ], [ %out_result, %out ]
  %r_next = add i64 %r, 1
  %is_good = icmp eq i32 %result, 0
  br i1 %is_good, label %row, label %failed

failed:
  ret i32 %result

done:
  ret i32 0
}

; ---- what host code calls, with types as in MLIR's CudaRuntimeWrappers.cpp --------------------------------------------------------

; A module is its text, until a kernel of it is wanted: constructors run where nobody can be told of a failure.
define ptr @mgpuModuleLoadJIT(ptr %text, i32 %optimize) {
  ret ptr %text
}

define void @mgpuModuleUnload(ptr %module) {
  ret void
}

define ptr @mgpuModuleGetFunction(ptr %text, ptr %name) {
start:
  %place = alloca ptr
  store ptr %name, ptr @weft.kernel
  %failed = call i1 @weft.has_failed()
  br i1 %failed, label %none, label %load

load:
  %module = call ptr @weft.module(ptr %text)
  %is_none = icmp eq ptr %module, null
  br i1 %is_none, label %none, label %find

find:
  %find_function = load ptr, ptr @weft.cuModuleGetFunction
  %result = call i32 %find_function(ptr %place, ptr %module, ptr %name)
  %is_good = call i1 @weft.good(i32 %result, i32 7, ptr @text_kernel, ptr %name, ptr null)
  br i1 %is_good, label %found, label %none

found:
  %function = load ptr, ptr %place
  ret ptr %function

none:
  ret ptr null
}

define void @mgpuLaunchKernel(ptr %function, i64 %gx, i64 %gy, i64 %gz, i64 %bx, i64 %by, i64 %bz, i32 %shared, ptr %stream, ptr %params, ptr %extra, i64 %count) {
start:
  %name = load ptr, ptr @weft.kernel
  %failed = call i1 @weft.has_failed()
  br i1 %failed, label %done, label %measure

; The driver's extents have 32 bits, and it knows which of them are too many. 1 is CUDA_ERROR_INVALID_VALUE.
measure:
  %g0 = or i64 %gx, %gy
  %g1 = or i64 %g0, %gz
  %b0 = or i64 %bx, %by
  %b1 = or i64 %b0, %bz
  %bits = or i64 %g1, %b1
  %is_large = icmp ugt i64 %bits, 4294967295
  br i1 %is_large, label %large, label %prepare

large:
  call i1 @weft.good(i32 1, i32 7, ptr @text_launch, ptr %name, ptr null)
  ret void

; 8 is CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES.
prepare:
  %has_shared = icmp sgt i32 %shared, 0
  br i1 %has_shared, label %allow, label %launch

allow:
  %set_attribute = load ptr, ptr @weft.cuFuncSetAttribute
  %allow_result = call i32 %set_attribute(ptr %function, i32 8, i32 %shared)
  %is_allowed = call i1 @weft.good(i32 %allow_result, i32 7, ptr @text_launch, ptr %name, ptr null)
  br i1 %is_allowed, label %launch, label %done

launch:
  %gx32 = trunc i64 %gx to i32
  %gy32 = trunc i64 %gy to i32
  %gz32 = trunc i64 %gz to i32
  %bx32 = trunc i64 %bx to i32
  %by32 = trunc i64 %by to i32
  %bz32 = trunc i64 %bz to i32
  %launch_function = load ptr, ptr @weft.cuLaunchKernel
  %result = call i32 %launch_function(ptr %function, i32 %gx32, i32 %gy32, i32 %gz32, i32 %bx32, i32 %by32, i32 %bz32, i32 %shared, ptr %stream, ptr %params, ptr %extra)
  call i1 @weft.good(i32 %result, i32 7, ptr @text_launch, ptr %name, ptr null)
  br label %done

done:
  ret void
}

define ptr @mgpuStreamCreate() {
  %stream = load ptr, ptr @weft.stream
  ret ptr %stream
}

define void @mgpuStreamDestroy(ptr %stream) {
  ret void
}

; Host code reads nothing: a call waits once, at its end, or not at all.
define void @mgpuStreamSynchronize(ptr %stream) {
  ret void
}

define ptr @mgpuMemAlloc(i64 %bytes, ptr %stream, i8 %host_shared) {
  %address = call i64 @weft.alloc(i64 %bytes, ptr @text_scratch, ptr null, ptr null)
  %pointer = inttoptr i64 %address to ptr
  ret ptr %pointer
}

; What a kernel that was launched still uses is not freed before it is done: the stream sees to it, or the call waits.
define void @mgpuMemFree(ptr %pointer, ptr %stream) {
start:
  %is_none = icmp eq ptr %pointer, null
  br i1 %is_none, label %done, label %give

give:
  %address = ptrtoint ptr %pointer to i64
  %is_ordered = load i1, ptr @weft.is_ordered
  br i1 %is_ordered, label %in_order, label %at_once

in_order:
  %free_in_order = load ptr, ptr @weft.cuMemFreeAsync
  call i32 %free_in_order(i64 %address, ptr %stream)
  br label %done

at_once:
  call void @weft.wait()
  %free_function = load ptr, ptr @weft.cuMemFree_v2
  call i32 %free_function(i64 %address)
  br label %done

done:
  ret void
}

define void @mgpuMemcpy(ptr %to, ptr %from, i64 %bytes, ptr %stream) {
start:
  %failed = call i1 @weft.has_failed()
  %is_empty = icmp eq i64 %bytes, 0
  %is_idle = or i1 %failed, %is_empty
  br i1 %is_idle, label %done, label %copy

copy:
  %to_address = ptrtoint ptr %to to i64
  %from_address = ptrtoint ptr %from to i64
  %copy_function = load ptr, ptr @weft.cuMemcpyDtoDAsync_v2
  %result = call i32 %copy_function(i64 %to_address, i64 %from_address, i64 %bytes, ptr %stream)
  call i1 @weft.good(i32 %result, i32 7, ptr @text_move, ptr null, ptr null)
  br label %done

done:
  ret void
}

declare i64 @llvm.umax.i64(i64, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; What --check-memory calls: 6 is WEFT_ERROR_MEMORY.
define void @weft_no_memory(ptr %message) {
  call void @weft.say(ptr %message, i32 6)
  ret void
}
