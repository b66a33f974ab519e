import Foundation
import LarderStorage
import LarderSyncProtocol

/// An object whose writes the server did not accept (Y-28). The store already has the object as the server does.
public final class CompensatingWriteInfo: Sendable {
  /// The class.
  public let objectType: String
  /// The reason, in words.
  public let reason: String
  private let key: PrimaryKey
  private let values: [SyncProperty]

  init(_ rejected: RejectedObject) {
    objectType = rejected.object.className.string
    reason = rejected.message
    key = rejected.object.key
    values = rejected.values
  }

  /// The primary key.
  public var primaryKey: AnyRealmValue { AnyRealmValue(StoredValue(key)) }

  /// The values that the program had written, by property; links are the keys of the objects. Beyond RealmSwift.
  public var rejected: [String: AnyRealmValue] {
    Dictionary(values.map { ($0.name.string, AnyRealmValue($0.value)) }, uniquingKeysWith: { $1 })
  }
}

extension AnyRealmValue {
  /// A value of a message, as programs have values. Containers and embedded objects become lists and dictionaries, links primary keys.
  init(_ value: SyncValue) {
    switch value {
    case .link(let name): self = AnyRealmValue(StoredValue(name.key))
    case .list(let list): self = .fromArray(list.entries.map { AnyRealmValue($0.value) })
    case .set(let set): self = .fromArray(set.values.map { AnyRealmValue($0) })
    case .map(let map): self = Self.dictionary(of: map.entries.map { ($0.key, $0.value) })
    case .embedded(let object): self = Self.dictionary(of: object.properties.map { ($0.name, $0.value) })
    default: self = StoredValue(plain: value).map { AnyRealmValue($0) } ?? .none
    }
  }

  private static func dictionary(of entries: [(SyncText, SyncValue)]) -> AnyRealmValue {
    .fromDictionary(
      Dictionary(entries.map { ($0.string, AnyRealmValue($1)) }, uniquingKeysWith: { $1 }))
  }

  fileprivate init(_ value: StoredValue) { self = Self._rlmFromStored(value, in: nil) ?? .none }
}
