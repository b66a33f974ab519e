/// A class of a `.realm` file.
public struct RealmFileClass: Hashable, Sendable {
  /// Its position in `RealmFile.classes`.
  public let index: Int
  /// Its name, as stored.
  public let name: String
  /// A Boolean value that says whether its objects are parts of others, each of one.
  public let isEmbedded: Bool
  /// A Boolean value that says whether its objects were only ever sent away; there are normally none.
  public let isAsymmetric: Bool
  /// The index in `properties` of the primary key.
  public let primaryKey: Int?
  /// Its properties in the file's order, without those that only hold where links come from.
  public let properties: [RealmFileProperty]

  /// Returns whether Realm itself makes tables of a name, for what it keeps of a file and of synchronisation.
  public static func isRealmsOwn(table name: String) -> Bool {
    ["metadata", "pk"].contains(name)
      || ["sync_", "flx_", "client_reset_", "pending_", "!"].contains { name.hasPrefix($0) }
  }

  /// The index of the property of that name.
  public func propertyIndex(_ name: String) -> Int? { properties.firstIndex { $0.name == name } }
}

/// A property of a class of a `.realm` file.
public struct RealmFileProperty: Hashable, Sendable {
  /// The type of one value.
  public enum ValueType: String, Hashable, Sendable, CaseIterable {
    /// A type of a value.
    case int, bool, float, double, string, data, date, objectId, uuid, decimal, mixed, link
  }

  /// The kind of collection, or a single value.
  public enum Collection: String, Hashable, Sendable, CaseIterable {
    /// A single value, or one of Realm's collections.
    case none, list, set, dictionary
  }

  /// Its name, as stored.
  public let name: String
  /// The type of its value, or of the values of its collection.
  public let type: ValueType
  /// The collection that it is, if any.
  public let collection: Collection
  /// A Boolean value that says whether the value, or each value of the collection, may be missing.
  public let isOptional: Bool
  /// A Boolean value that says whether it has an index that is no full-text index; primary keys have one.
  public let isIndexed: Bool
  /// A Boolean value that says whether it has a full-text index.
  public let isFullText: Bool
  /// The index in `RealmFile.classes` of the class that links lead to; nil for other types.
  public let targetIndex: Int?
  /// The name of the class that links lead to; nil for other types.
  public let target: String?
}
