import Foundation
import LarderLocks
import LarderStorage

/// The source of a tool's key for encrypted stores. Never an argument: every user of the machine can see those.
package enum KeySource: Sendable {
  case none
  /// A file of 64 bytes, or of 128 hexadecimal digits and white space around them.
  case file(String)
  /// The value of an environment variable: 128 hexadecimal digits. Stores that are plain are opened all the same.
  case environment(String)

  /// The environment variable.
  package static let variable = "LARDER_KEY"

  /// Reads the source from an environment: an empty value is none.
  package init(environment: [String: String]) {
    let text = environment[Self.variable] ?? ""
    self = text.isEmpty ? .none : .environment(text)
  }

  private static let listener = Lock<(@Sendable (String, String) -> Void)?>(nil)

  /// Calls what is to get warnings, each a sentence with the path of the file.
  fileprivate static func onWarning(_ sentence: String, _ path: String) { listener.withLock { $0 }?(sentence, path) }

  /// From now on `body` gets each key file that other users can read.
  package static func warn(_ body: @escaping @Sendable (_ sentence: String, _ path: String) -> Void) {
    listener.withLock { $0 = body }
  }

  /// The key; nil where none was given.
  ///
  /// - Throws: `StorageError` for a file that cannot be read or a key of another form, without showing any of it.
  package func key() throws -> EncryptionKey? { try bytes().flatMap { EncryptionKey($0) } }

  /// The 64 bytes of the key, for files of other programs.
  ///
  /// - Throws: As `key()`.
  package func bytes() throws -> [UInt8]? {
    switch self {
    case .none: return nil
    case .file(let path):
      let contents = try KeyFiles.shared.bytes(of: path)
      if let bytes = Self.bytes(of: contents) { return bytes }
      throw StorageError(
        .wrongKey,
        "The key file '\(path)' holds no key: \(KeyFiles.describe(contents)). A key is 64 bytes, or 128 hexadecimal digits.",
        path: path)
    case .environment(let text):
      if let bytes = Self.decode(Data(text.utf8)) { return bytes }
      throw StorageError(
        .wrongKey, "\(Self.variable) holds no key: \(text.utf8.count) characters. A key is 128 hexadecimal digits.")
    }
  }

  /// The key as the environment variable holds it, for a process that is started to do the same; nil where none was given.
  ///
  /// - Throws: As `key()`.
  package func environmentValue() throws -> String? {
    switch self {
    case .none: return nil
    case .environment(let text): return text
    case .file:
      let digits = Array("0123456789abcdef")
      return try bytes()?.reduce(into: "") {
        $0.append(digits[Int($1 >> 4)])
        $0.append(digits[Int($1 & 15)])
      }
    }
  }

  private static func bytes(of contents: Data) -> [UInt8]? {
    contents.count == EncryptionKey.length ? Array(contents) : decode(contents)
  }

  private static func decode(_ text: Data) -> [UInt8]? {
    let digits = text.split(whereSeparator: { $0 == 0x20 || (0x09...0x0D).contains($0) })
    guard digits.count == 1, let digits = digits.first, digits.count == 2 * EncryptionKey.length else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue.map({ UInt8($0) }) else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }
}

/// Key files, each read once: one may be a pipe, and a verb may open several stores.
private final class KeyFiles: Sendable {
  static let shared = KeyFiles()
  /// More than any key with white space around it.
  private static let limit = 4096
  private let known = Lock<[String: Data]>([:])

  /// - Throws: `StorageError` for a file that cannot be read.
  func bytes(of path: String) throws -> Data {
    try known.withLock { known in
      if let bytes = known[path] { return bytes }
      let bytes = try Self.read(path)
      known[path] = bytes
      return bytes
    }
  }

  /// Tells of files that other users can read; once for each.
  private static func warn(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o044 != 0 else { return }
    let mode = String(status.st_mode & 0o777, radix: 8)
    KeySource.onWarning(
      "The key file '\(path)' can be read by others than its owner (mode \(mode)); 'chmod 600' takes that from them.",
      path)
  }

  static func describe(_ bytes: Data) -> String {
    bytes.count > limit ? "more than \(limit) bytes" : "\(bytes.count) byte\(bytes.count == 1 ? "" : "s")"
  }

  private static func read(_ path: String) throws -> Data {
    func fail(_ code: StorageError.Code, _ reason: String) -> StorageError {
      StorageError(code, "The key file '\(path)' cannot be read: \(reason).", path: path)
    }
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard isThere else { throw fail(.notFound, "there is no such file") }
    guard !isFolder.boolValue else { throw fail(.notFound, "it is a folder") }
    warn(of: path)
    guard let file = FileHandle(forReadingAtPath: path) else { throw fail(.permissionDenied, "permission denied") }
    defer { try? file.close() }
    var bytes = Data()
    do {
      // A pipe gives what there is, which may be less than asked for.
      while bytes.count <= limit, let piece = try file.read(upToCount: limit + 1 - bytes.count), !piece.isEmpty {
        bytes += piece
      }
    } catch { throw fail(.notFound, "reading failed") }
    return bytes
  }
}
