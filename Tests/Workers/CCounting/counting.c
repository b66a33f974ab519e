#define _GNU_SOURCE
#include "counting.h"

#include <dlfcn.h>
#include <stddef.h>

static _Thread_local struct counting_totals totals;

struct counting_totals counting_read(void) { return totals; }

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

// What the program and its libraries call is found here before the runtime's own functions. The runtime has hooks of its own for this, but
// passes texts that are no objects to them.
typedef void *(*retain_function)(void *);
typedef void *(*retain_n_function)(void *, uint32_t);
static retain_function next_retain, next_bridge_retain;
static retain_n_function next_retain_n, next_bridge_retain_n;

__attribute__((constructor(101))) static void find_runtime(void) {
  next_retain = (retain_function)dlsym(RTLD_NEXT, "swift_retain");
  next_retain_n = (retain_n_function)dlsym(RTLD_NEXT, "swift_retain_n");
  next_bridge_retain = (retain_function)dlsym(RTLD_NEXT, "swift_bridgeObjectRetain");
  next_bridge_retain_n = (retain_n_function)dlsym(RTLD_NEXT, "swift_bridgeObjectRetain_n");
}

// The highest bit is set in what needs no counting, such as small texts.
static uint32_t counted(void *reference) { return (intptr_t)reference > 0; }

void *swift_retain(void *object) {
  totals.retains += counted(object);
  return next_retain(object);
}

void *swift_retain_n(void *object, uint32_t times) {
  totals.retains += counted(object) * times;
  return next_retain_n(object, times);
}

void *swift_bridgeObjectRetain(void *object) {
  totals.retains += counted(object);
  return next_bridge_retain(object);
}

void *swift_bridgeObjectRetain_n(void *object, uint32_t times) {
  totals.retains += counted(object) * times;
  return next_bridge_retain_n(object, times);
}

#if defined(__GLIBC__) && !defined(SANITIZED)
// The executable's own functions are found before those of the C library, which has them under these names as well. Sanitizers have their own.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  totals.allocations += 1;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  totals.allocations += 1;
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  totals.allocations += 1;
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  totals.allocations += 1;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  totals.allocations += 1;
  *block = __libc_memalign(alignment, size);
  return *block ? 0 : 12;
}
#endif
