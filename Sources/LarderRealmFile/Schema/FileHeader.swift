import Foundation
import LarderCrypto

/// The first bytes of a file: which of two commits is the newest, and the file's format.
struct FileHeader {
  /// The formats that are read.
  static let formats = 10...24

  let format: Int
  /// The topmost node; 0 when the file has no tables.
  let top: Int

  private static let size = 24
  private static let mark: [UInt8] = [0x54, 0x2D, 0x44, 0x42]
  private static let cookie: UInt64 = 0x3034_1252_37E5_26C8
  /// The longest distance from the end to the footer of a copy: what is written at once.
  private static let longestPadding = 64 << 10

  /// The file's bytes, decrypted if there is a key.
  static func source(_ file: InputFile, key: Data?) throws -> ByteSource {
    let start = try file.read(at: 0, count: size)
    let isPlain = start.count == size && Array(start[16..<20]) == mark
    guard let key else {
      if isPlain { return ByteSource(file: file, key: nil) }
      if try EncryptedPages.mayBe(file) {
        throw RealmFileError(
          .needsKey, "\(file.path) is encrypted, or not a Realm file; give the 64 bytes of its encryption key")
      }
      throw notRealm(file)
    }
    if isPlain { throw RealmFileError(.notEncrypted, "\(file.path) is not encrypted; open it without a key") }
    guard let key = EncryptionKey(key) else {
      throw RealmFileError(
        .wrongKey, "the key has \(key.count) bytes; give the 64 bytes with which \(file.path) was encrypted")
    }
    guard try EncryptedPages.mayBe(file) else { throw notRealm(file) }
    let source = ByteSource(file: file, key: key)
    // A page's code proves one half of the key only.
    guard source.size >= size, try source.read(at: 16, count: 4) == mark else {
      throw RealmFileError(
        .wrongKey, "the key is not that of \(file.path): what it decrypts is no Realm file; give its own key")
    }
    return source
  }

  private static func notRealm(_ file: InputFile) -> RealmFileError {
    RealmFileError(
      .notARealmFile,
      "\(file.path) is not a Realm file, or encrypted; give the path of a .realm file, and its key if it has one")
  }

  init(_ source: ByteSource) throws {
    let slots = (try source.word(at: 0), try source.word(at: 8))
    let flags = try source.word(at: 16)
    let isSecond = flags >> 56 & 1 == 1
    format = Int(flags >> (isSecond ? 40 : 32) & 0xFF)
    var top = isSecond ? slots.1 : slots.0
    if !isSecond && top == .max { top = try Self.footer(source) }
    if top == 0 && format == 0 {
      self.top = 0
      return
    }
    try Self.check(format, source)
    guard top != 0 else {
      self.top = 0
      return
    }
    guard top % 8 == 0, top <= UInt64(Int.max), top >= Self.size else {
      throw RealmFileError(
        .damaged,
        "\(source.path) is damaged: its header refers to offset \(top), where nothing can be; use a backup of it")
    }
    guard source.holds(Int(top), Node.headerSize) else {
      throw RealmFileError(
        .truncated,
        "\(source.path) is truncated or damaged: its header refers to offset \(top), and it has \(source.size) bytes; "
          + "copy the whole file again")
    }
    self.top = Int(top)
  }

  private static func check(_ format: Int, _ source: ByteSource) throws {
    if formats.contains(format) { return }
    let advice =
      format < formats.lowerBound
      ? "it is older than Realm 5; open it once with RealmSwift 10, which upgrades it"
      : "it is newer than every released version of Realm; write it again with one of those"
    throw RealmFileError(.unsupportedFormat, "\(source.path) has format \(format), and 10 to 24 are read: \(advice)")
  }

  /// The topmost node of a copy that was written from start to end: what is known of it comes last.
  private static func footer(_ source: ByteSource) throws -> UInt64 {
    var offset = (source.size - 16) & ~7
    let last = max(size, offset - longestPadding)
    while offset >= last {
      if try source.word(at: offset + 8) == cookie { return try source.word(at: offset) }
      offset -= 8
    }
    throw RealmFileError(
      .truncated, "\(source.path) is truncated: the last bytes of a copy are missing; copy the whole file again")
  }
}
