import Foundation

/// A `.realm` file of RealmSwift that becomes the store when a program first opens it: see `Realm.Configuration.importsRealmFile`.
///
/// ```swift
/// configuration.importsRealmFile = RealmFileImport(fileURL: old)
/// ```
///
/// Files of the formats 10 to 24 are read: of RealmSwift 5 to 20, and of the SDKs for other languages of that time.
public struct RealmFileImport: Sendable {
  /// The `.realm` file. It is only read, and no program should have it open meanwhile.
  public var fileURL: URL
  /// The 64 bytes that the file is encrypted with; nil for a plain one. The store's own key is `Realm.Configuration.encryptionKey`.
  public var encryptionKey: Data?
  /// Called often while the file is read, on the thread that opens the store.
  public var progress: (@Sendable (Progress) -> Void)?
  /// Called once when the store is made, before it is migrated, on the thread that opens it; not where there was a store already.
  public var completion: (@Sendable (Report) -> Void)?

  /// Each option is described at the property of its name.
  ///
  /// From any thread. Costs nothing: no file is touched.
  public init(
    fileURL: URL, encryptionKey: Data? = nil, progress: (@Sendable (Progress) -> Void)? = nil,
    completion: (@Sendable (Report) -> Void)? = nil
  ) {
    self.fileURL = fileURL
    self.encryptionKey = encryptionKey
    self.progress = progress
    self.completion = completion
  }

  /// The progress of an import.
  public struct Progress: Hashable, Sendable {
    /// The class whose objects are being read; empty at the end, while the store is checked.
    public let className: String
    /// Objects that were dealt with so far. Those with links, collections or mixed values are counted twice, when they are made and when
    /// they are filled.
    public let done: Int
    /// The number of these objects in all.
    public let total: Int
    /// The part that is done, from 0 to 1.
    public var fraction: Double { total == 0 ? 1 : min(1, Double(done) / Double(total)) }
  }

  /// The result of an import: what it carried over, and what it could not.
  public struct Report: Hashable, Sendable {
    /// The number of objects of each class in the store, embedded ones included.
    public let objectCounts: [String: Int]
    /// The schema version of the file, which the store has.
    public let schemaVersion: UInt64
    /// Tables of the file that are no classes of a program, by their names: what Realm keeps for itself, and classes whose objects are only
    /// sent to a server.
    public let skippedTables: [String]
    /// Properties that the store lacks or has otherwise, each a sentence.
    public let notices: [String]
    /// Values and objects that are not in the store, the first 10,000 of them.
    public let omissions: [Omission]
    /// The number of them in all.
    public let omissionCount: Int
  }

  /// A value or an object of the file that the store does not have, and why.
  public struct Omission: Hashable, Sendable, CustomStringConvertible {
    /// The class of the object.
    public let className: String
    /// The object's number in the `.realm` file.
    public let objectKey: Int64
    /// The property; nil when the whole object was left out.
    public let propertyName: String?
    /// The text that says what was left out, and why.
    public let message: String

    public var description: String {
      "\(className)\(propertyName.map { "." + $0 } ?? "") of object \(objectKey): \(message)"
    }
  }
}
