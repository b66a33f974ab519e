/// A bounds-checked, read-only view of bytes that LMDB or a buffer owns.
///
/// Public because only public functions are inlined into other targets, and reads of a view are everywhere.
///
/// - Important: It does not keep its bytes alive. A view read through a `ReadTransaction` is valid while
///   that transaction object is; one read through a `WriteTransaction` until the next change in it.
@frozen
public struct ByteView: @unchecked Sendable {
  // Unchecked: the bytes are immutable while the transaction that produced the view is alive.
  public let base: UnsafeRawPointer
  public let count: Int

  @inlinable @inline(__always)
  public init(base: UnsafeRawPointer, count: Int) {
    self.base = base
    self.count = count
  }

  /// Loads a little-endian integer at a byte offset; traps outside the view.
  @inlinable @inline(__always)
  public func load<T: FixedWidthInteger>(_ offset: Int, as type: T.Type = T.self) -> T {
    precondition(offset >= 0 && offset &+ MemoryLayout<T>.size <= count, "read outside of a view")
    return T(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// Loads a big-endian integer at a byte offset (keys are big-endian); traps outside the view.
  @inlinable @inline(__always)
  public func loadBigEndian<T: FixedWidthInteger>(_ offset: Int, as type: T.Type = T.self) -> T {
    precondition(offset >= 0 && offset &+ MemoryLayout<T>.size <= count, "read outside of a view")
    return T(bigEndian: base.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  /// A part of this view; traps outside of it.
  @inlinable @inline(__always)
  public func slice(_ offset: Int, _ length: Int) -> ByteView {
    precondition(offset >= 0 && length >= 0 && offset &+ length <= count, "slice outside of a view")
    return ByteView(base: base + offset, count: length)
  }

  /// The bytes as a buffer, under the lifetime rule of the view.
  @inlinable @inline(__always)
  public var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// A copy of the bytes.
  public var bytes: [UInt8] { Array(buffer) }
}
