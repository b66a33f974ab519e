#pragma once

/// Part of the Swift runtime's binary interface: retains an object and returns it, or returns NULL while it is deallocated.
void *_Nullable swift_tryRetain(void *_Nonnull object);
