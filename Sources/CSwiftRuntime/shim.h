#pragma once

#include <stddef.h>

/// Part of the Swift runtime's binary interface: retains an object and returns it, or returns NULL while it is deallocated.
void *_Nullable swift_tryRetain(void *_Nonnull object);

/// Part of the Swift runtime's binary interface: memory of an instance of a class with only its header set, owned by the
/// caller.
void *_Nonnull swift_allocObject(const void *_Nonnull type, size_t size, size_t alignmentMask);

/// Part of the Swift runtime's binary interface: retains an object that no other thread can be counting, and returns it.
void *_Nonnull swift_nonatomic_retain(void *_Nonnull object);
