import LarderLMDB

/// Reads what a `RecordWriter` wrote; every read is bounds-checked and throws `.corrupted` past the end.
struct RecordReader {
  private let view: ByteView
  private let name: String
  private(set) var offset = 0

  /// - Parameter name: What is read, for error messages.
  init(_ view: ByteView, name: String) {
    self.view = view
    self.name = name
  }

  private func need(_ length: Int) throws {
    guard length >= 0, length <= view.count - offset else {
      throw StorageError(.corrupted, "The \(name) record of the catalog is cut short at byte \(offset).")
    }
  }

  mutating func read<T: FixedWidthInteger>(_ type: T.Type = T.self) throws -> T {
    try need(MemoryLayout<T>.size)
    defer { offset += MemoryLayout<T>.size }
    return view.load(offset)
  }

  /// So many numbers of 64 bits, as they are.
  mutating func take(words count: Int) throws -> ByteView {
    try need(8 * count)
    defer { offset += 8 * count }
    return view.slice(offset, 8 * count)
  }

  mutating func readVarint() throws -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte: UInt8 = try read()
      guard shift < 64 else { throw StorageError(.corrupted, "The \(name) record of the catalog holds a bad number.") }
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift += 7
    }
  }

  mutating func readString() throws -> String {
    let length = try readVarint()
    guard length <= UInt64(view.count) else { throw cut() }
    try need(Int(length))
    defer { offset += Int(length) }
    guard let text = String(validating: view.slice(offset, Int(length)).buffer, as: UTF8.self) else {
      throw StorageError(.corrupted, "The \(name) record of the catalog holds a name that is not UTF-8.")
    }
    return text
  }

  /// Throws `.corrupted` unless the record ends here, but for zeros up to a multiple of eight.
  func finish() throws {
    guard (offset + 7) & ~7 == view.count else {
      throw StorageError(
        .corrupted, "The \(name) record of the catalog is damaged: its checksum does not fit. Run `larder repair`.")
    }
  }

  private func cut() -> StorageError {
    StorageError(.corrupted, "The \(name) record of the catalog is cut short at byte \(offset).")
  }
}
