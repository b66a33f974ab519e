import Foundation
import LarderStorage

/// The changes that opening would make in a store, and the losses. Beyond RealmSwift (U-12).
public struct MigrationReport: Sendable, CustomStringConvertible {
  /// An object, or a value of an object, that would be deleted.
  public struct Loss: Sendable, Hashable, CustomStringConvertible {
    /// The class's stored name.
    public let className: String
    /// The object: its primary key as `key 4`, or its number in the store as `object 12`.
    public let object: String
    /// The property's stored name; nil when the object itself would be deleted.
    public let propertyName: String?
    /// The value in full, or all values of a collection; nil when the object itself would be deleted.
    public let value: String?

    init(_ loss: MigrationLoss) {
      className = loss.className
      object = loss.primaryKey.map { "key \($0.fullText)" } ?? "object \(loss.key.rawValue)"
      propertyName = loss.property
      guard loss.property != nil else {
        value = nil
        return
      }
      let texts = loss.values.map(\.fullText)
      value =
        loss.mapKeys.isEmpty
        ? texts.joined(separator: ", ") : zip(loss.mapKeys, texts).map { "'\($0)': \($1)" }.joined(separator: ", ")
    }

    public var description: String {
      propertyName.map { "\(className) (\(object)): \($0) = \(value ?? "")" } ?? "\(className) (\(object))"
    }
  }

  /// The store's file.
  public let path: String
  /// Nil for a store that never had a schema.
  public let oldSchemaVersion: UInt64?
  /// The configured one.
  public let newSchemaVersion: UInt64
  /// Every difference that would be applied, as a sentence.
  public internal(set) var steps: [String] = []
  /// Every object and value that would be deleted, and each nil of a property that is required now. A value that the block copies
  /// elsewhere counts, since it is not known where it went.
  public internal(set) var losses: [Loss] = []
  /// A Boolean value that says whether the store would be deleted and made again (`deleteRealmIfMigrationNeeded`).
  public internal(set) var deletesStore = false

  init(path: String, oldSchemaVersion: UInt64?, newSchemaVersion: UInt64) {
    self.path = path
    self.oldSchemaVersion = oldSchemaVersion
    self.newSchemaVersion = newSchemaVersion
  }

  public var description: String {
    let old = oldSchemaVersion.map { "schemaVersion \($0)" } ?? "no schema"
    var lines = ["'\(path)': \(old) to \(newSchemaVersion)"]
    if deletesStore { lines.append("the store would be deleted") }
    lines += steps.isEmpty && !deletesStore ? ["no differences"] : steps
    lines += losses.map { "lost: \($0)" }
    return lines.joined(separator: "\n")
  }
}

extension StoredValue {
  /// The value as text, in full.
  fileprivate var fullText: String {
    switch self {
    case .string(let value): "'\(value)'"
    case .data(let value): value.base64EncodedString()
    case .list(let list): "[\(list.elements.map(\.fullText).joined(separator: ", "))]"
    case .dictionary(let entries): "{\(entries.map { "'\($0.key)': \($0.value.fullText)" }.joined(separator: ", "))}"
    default: text
    }
  }
}
