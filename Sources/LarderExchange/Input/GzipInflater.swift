import CZlib

/// Damage found in gzip data, in zlib's words.
struct GzipError: Error {
  var reason: String
}

/// Unpacks a gzip file piece by piece; several packed files one after another count as one, as `gzip` has it.
final class GzipInflater {
  // On the heap because zlib keeps a pointer back to it.
  private let stream: UnsafeMutablePointer<z_stream>
  private var startsMember = true
  private static let outputSize = 1 << 18
  /// zlib's way to ask for a gzip header around the data.
  private static let gzipWindowBits: Int32 = 15 + 16

  /// True if the data given so far end where a packed file ends.
  var isAtEnd: Bool { startsMember }

  init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let result = inflateInit2_(stream, Self.gzipWindowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(result == Z_OK, "zlib could not be set up: out of memory or of another version")
  }

  deinit {
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Everything that the next packed bytes unpack to.
  func inflate(_ input: [UInt8]) throws -> [UInt8] {
    var input = input
    var output: [UInt8] = []
    try input.withUnsafeMutableBufferPointer { packed in
      stream.pointee.next_in = packed.baseAddress
      stream.pointee.avail_in = UInt32(packed.count)
      while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0 {
        if startsMember && stream.pointee.avail_in == 0 { break }
        try step(into: &output)
      }
    }
    return output
  }

  private func step(into output: inout [UInt8]) throws {
    if startsMember { inflateReset(stream) }
    startsMember = false
    var result = Z_OK
    let piece = [UInt8](unsafeUninitializedCapacity: Self.outputSize) { buffer, count in
      stream.pointee.next_out = buffer.baseAddress
      stream.pointee.avail_out = UInt32(buffer.count)
      result = CZlib.inflate(stream, Z_NO_FLUSH)
      count = buffer.count - Int(stream.pointee.avail_out)
    }
    output.append(contentsOf: piece)
    switch result {
    case Z_STREAM_END: startsMember = true
    case Z_OK, Z_BUF_ERROR: break
    default: throw GzipError(reason: stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(result)")
    }
  }
}
