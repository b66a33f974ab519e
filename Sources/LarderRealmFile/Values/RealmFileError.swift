/// The reason that a `.realm` file was not read, and what to do.
public struct RealmFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of fault, for programs.
  public enum Kind: String, Hashable, Sendable {
    /// The system could not open or read the file.
    case unreadable
    /// The file is none of Realm's.
    case notARealmFile
    /// The file is encrypted, or not a Realm file; no key was given.
    case needsKey
    /// The key has not 64 bytes, or is not the file's.
    case wrongKey
    /// A key was given, and the file is readable without one.
    case notEncrypted
    /// The file ends before what it refers to.
    case truncated
    /// Another format than 10 to 24.
    case unsupportedFormat
    /// The file contradicts itself.
    case damaged
  }

  /// The kind of fault.
  public let kind: Kind
  /// The fault, its place, and what to do, as a sentence for people.
  public let message: String

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  public var description: String { message }
}
