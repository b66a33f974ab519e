#pragma once
#include <stdint.h>

/// What the calling thread has done since it began: memory asked for, and references that were counted up.
struct counting_totals {
  uint64_t allocations;
  uint64_t retains;
};

/// The totals of the calling thread.
struct counting_totals counting_read(void);
