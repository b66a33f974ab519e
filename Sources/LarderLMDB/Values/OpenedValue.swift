import Foundation

/// A value of a sealed environment in clear. Overwritten when it goes.
final class OpenedValue: @unchecked Sendable {
  // Unchecked: the bytes do not change once it is made.
  private let start: UnsafeMutableRawPointer
  let count: Int

  /// - Parameter fill: Writes all of the bytes.
  init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
    start = .allocate(byteCount: max(1, count), alignment: 16)
    self.count = count
    try fill(UnsafeMutableRawBufferPointer(start: start, count: count))
  }

  deinit {
    explicit_bzero(start, count)
    start.deallocate()
  }

  /// Valid while this is.
  var view: ByteView { ByteView(base: UnsafeRawPointer(start), count: count) }
}
