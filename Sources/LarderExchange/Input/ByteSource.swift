import Foundation

/// The bytes of a file in order, unpacked when the file is gzip.
///
/// Belongs to one thread at a time.
package final class ByteSource {
  package let path: String
  /// Size of the file as stored; nil for a pipe.
  package let storedSize: Int?
  /// Bytes taken from the file so far, packed ones when it is packed: the numerator of a progress bar.
  package private(set) var consumed = 0
  private let handle: FileHandle
  private var inflater: GzipInflater?
  private var atStart = true
  private var transcoder: Transcoder
  /// The bytes that were read to look at them first.
  private var sampled: [UInt8]?
  static let sampleSize = 1 << 16
  /// Packed bytes that were read and not unpacked yet, the next ones last.
  private var packed: [UInt8] = []
  private static let chunkSize = 1 << 18
  /// So many packed bytes are unpacked at once: they may come to a thousand times as many.
  private static let packedSize = 1 << 12

  /// - Parameters:
  ///   - path: The file, as messages name it.
  ///   - contents: Where its bytes are, if not there.
  ///   - encoding: What its characters are written in; nil: UTF-16 where a mark says so, else UTF-8.
  /// - Throws: `InputFileError` when the file is missing, a folder or not readable.
  package init(path: String, contents: String? = nil, encoding: InputEncoding? = .utf8) throws {
    self.path = path
    transcoder = Transcoder(encoding)
    let manager = FileManager.default
    let place = contents ?? path
    var isFolder: ObjCBool = false
    guard manager.fileExists(atPath: place, isDirectory: &isFolder) else {
      throw InputFileError(path: path, message: "there is no such file")
    }
    guard !isFolder.boolValue else { throw InputFileError(path: path, message: "this is a folder, not a file") }
    try NamedPipe.refuse(place)
    guard let handle = FileHandle(forReadingAtPath: place) else {
      throw InputFileError(path: path, message: "the file cannot be read; are its permissions right?")
    }
    self.handle = handle
    let attributes = try? manager.attributesOfItem(atPath: place)
    storedSize =
      attributes?[.type] as? FileAttributeType == .typeRegular ? (attributes?[.size] as? NSNumber)?.intValue : nil
  }

  deinit { try? handle.close() }

  /// The next bytes, or nil at the end.
  ///
  /// - Throws: `InputFileError` when reading fails or packed data are damaged or cut off.
  package func next() throws -> [UInt8]? {
    if let sampled {
      self.sampled = nil
      if !sampled.isEmpty { return sampled }
    }
    return try nextText()
  }

  /// The first bytes, which `next` gives again: all of them, or at least `sampleSize`.
  ///
  /// - Throws: As `next`.
  func sample() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < Self.sampleSize, let piece = try next() { bytes += piece }
    sampled = bytes
    return bytes
  }

  private func nextText() throws -> [UInt8]? {
    while let bytes = try nextUnpacked() {
      let text = transcoder.text(of: bytes)
      if !text.isEmpty { return text }
    }
    let rest = transcoder.text(of: [])
    return rest.isEmpty ? nil : rest
  }

  private func nextUnpacked() throws -> [UInt8]? {
    while true {
      if packed.isEmpty {
        let stored = try readStored()
        if atStart {
          atStart = false
          if let stored, stored.starts(with: [0x1F, 0x8B]) { inflater = GzipInflater() }
        }
        guard inflater != nil else { return stored }
        packed = (stored ?? []).reversed()
      }
      guard let inflater else { return nil }
      guard !packed.isEmpty else {
        guard inflater.isAtEnd else {
          throw InputFileError(path: path, message: "the gzip data end in the middle: the file is truncated")
        }
        return nil
      }
      do {
        let piece = Array(packed.suffix(Self.packedSize).reversed())
        packed.removeLast(piece.count)
        let bytes = try inflater.inflate(piece)
        if !bytes.isEmpty { return bytes }
      } catch let error as GzipError {
        throw InputFileError(path: path, message: "the gzip data are damaged (\(error.reason))")
      }
    }
  }

  private func readStored() throws -> [UInt8]? {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
      var result = 0
      repeat {
        result = read(handle.fileDescriptor, buffer.baseAddress, buffer.count)
      } while result < 0 && errno == EINTR
      failure = result < 0 ? errno : 0
      count = max(0, result)
    }
    guard failure == 0 else {
      throw InputFileError(path: path, message: "reading failed: \(String(cString: strerror(failure)))")
    }
    consumed += bytes.count
    return bytes.isEmpty ? nil : bytes
  }
}

/// A file that cannot be read at all.
package struct InputFileError: Error, Hashable, Sendable, CustomStringConvertible {
  package var path: String
  package var message: String

  package init(path: String, message: String) {
    self.path = path
    self.message = message
  }

  package var description: String { "\(path): \(message)" }
}
