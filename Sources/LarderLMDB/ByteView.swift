/// A bounds-checked, read-only view of bytes that LMDB or a buffer owns.
///
/// - Important: It does not keep its bytes alive. A view read through a `ReadTransaction` is valid while
///   that transaction object is; one read through a `WriteTransaction` until the next change in it.
@frozen
package struct ByteView: @unchecked Sendable {
  // Unchecked: the bytes are immutable while the transaction that produced the view is alive.
  package let base: UnsafeRawPointer
  package let count: Int

  @inlinable @inline(__always)
  package init(base: UnsafeRawPointer, count: Int) {
    self.base = base
    self.count = count
  }

  /// Loads a little-endian integer at a byte offset; traps outside the view.
  @inlinable @inline(__always)
  package func load<T: FixedWidthInteger>(_ offset: Int, as type: T.Type = T.self) -> T {
    precondition(offset >= 0 && offset &+ MemoryLayout<T>.size <= count, "read outside of a view")
    return T(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// Loads a big-endian integer at a byte offset (keys are big-endian); traps outside the view.
  @inlinable @inline(__always)
  package func loadBigEndian<T: FixedWidthInteger>(_ offset: Int, as type: T.Type = T.self) -> T {
    precondition(offset >= 0 && offset &+ MemoryLayout<T>.size <= count, "read outside of a view")
    return T(bigEndian: base.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// A part of this view; traps outside of it.
  @inlinable @inline(__always)
  package func slice(_ offset: Int, _ length: Int) -> ByteView {
    precondition(offset >= 0 && length >= 0 && offset &+ length <= count, "slice outside of a view")
    return ByteView(base: base + offset, count: length)
  }

  /// The bytes as a buffer, under the lifetime rule of the view.
  @inlinable @inline(__always)
  package var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// A copy of the bytes.
  package var bytes: [UInt8] { Array(buffer) }
}
