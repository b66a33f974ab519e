#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Part of the Swift runtime's binary interface: retains an object and returns it, or returns NULL while it is deallocated.
void *_Nullable swift_tryRetain(void *_Nonnull object);

/// Part of the Swift runtime's binary interface: memory of an instance of a class with only its header set, owned by the
/// caller.
void *_Nonnull swift_allocObject(const void *_Nonnull type, size_t size, size_t alignmentMask);

/// Part of the Swift runtime's binary interface: retains an object that no other thread can be counting, and returns it.
void *_Nonnull swift_nonatomic_retain(void *_Nonnull object);

/// Part of the Swift runtime's binary interface: a serial executor; of a plain actor, the actor itself.
typedef struct {
  void *_Nullable identity;
  uintptr_t implementation;
} LarderExecutor;

/// Part of the Swift runtime's binary interface: the executor the caller runs on; all zero outside of actors.
__attribute__((swiftcall)) LarderExecutor swift_task_getCurrentExecutor(void);

/// Part of the Swift runtime's binary interface: whether the caller runs on an executor. With flags 0 it only answers.
__attribute__((swiftcall)) bool swift_task_isCurrentExecutorWithFlags(
    void *_Nonnull identity, uintptr_t implementation, uintptr_t flags);
