/// Memory that leaves are written to one after another: many small ones without an allocation for each.
///
/// Belongs to one thread at a time.
final class LeafSink {
  // Touched for each leaf: no exclusivity checks.
  @exclusivity(unchecked) private var memory: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var capacity: Int
  /// Bytes that were written.
  @exclusivity(unchecked) private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 64)
    memory = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit { memory.deallocate() }

  /// Adds so many bytes, all of which `fill` writes.
  @inline(__always)
  func add(_ size: Int, _ fill: (UnsafeMutableRawPointer) -> Void) {
    if count + size > capacity { grow(by: size) }
    fill(memory + count)
    count += size
  }

  /// Gives the bytes that were written, to be changed.
  func withBytes<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
    try body(UnsafeMutableRawBufferPointer(start: memory, count: count))
  }

  private func grow(by size: Int) {
    capacity = max(2 * capacity, count + size)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: memory, byteCount: count)
    memory.deallocate()
    memory = larger
  }
}
