import LarderLMDB

/// Memory that holds an encoded leaf for as long as this object lives.
final class OwnedLeaf: @unchecked Sendable {
  // Unchecked: the memory is filled once, before anybody else has it.
  private let memory: UnsafeMutableRawBufferPointer

  init(_ bytes: [UInt8]) {
    memory = .allocate(byteCount: max(bytes.count, 8), alignment: 16)
    memory.copyBytes(from: bytes)
    count = bytes.count
  }

  deinit { memory.deallocate() }

  private let count: Int

  /// The leaf; valid while this object lives.
  var view: ByteView {
    // The allocation is never empty, so it has an address.
    ByteView(base: UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped), count: count)
  }
}
