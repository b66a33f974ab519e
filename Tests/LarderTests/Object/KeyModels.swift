import Foundation
import Larder

/// A row with a primary key of some type.
protocol KeyedRow: Object {
  associatedtype Key: Hashable
  var key: Key { get set }
  var mark: Int { get set }
}

final class IntRow: Object, KeyedRow {
  @Persisted(primaryKey: true) var key: Int
  @Persisted(indexed: true) var mark: Int
}

final class Int8Row: Object, KeyedRow {
  @Persisted(primaryKey: true) var key: Int8
  @Persisted(indexed: true) var mark: Int
}

final class Int16Row: Object, KeyedRow {
  @Persisted(primaryKey: true) var key: Int16?
  @Persisted(indexed: true) var mark: Int
}

final class Int32Row: Object, KeyedRow {
  @Persisted(primaryKey: true) var key: Int32
  @Persisted(indexed: true) var mark: Int
}

final class Int64Row: Object, KeyedRow {
  @Persisted(primaryKey: true) var key: Int64?
  @Persisted(indexed: true) var mark: Int
}

final class StringRow: Object, KeyedRow {
  @Persisted(primaryKey: true) var key: String
  @Persisted(indexed: true) var mark: Int
}

final class OptionalStringRow: Object, KeyedRow {
  @Persisted(primaryKey: true) var key: String?
  @Persisted(indexed: true) var mark: Int
}

final class ObjectIdRow: Object, KeyedRow {
  @Persisted(primaryKey: true) var key: ObjectId
  @Persisted(indexed: true) var mark: Int
}

final class OptionalObjectIdRow: Object, KeyedRow {
  @Persisted(primaryKey: true) var key: ObjectId?
  @Persisted(indexed: true) var mark: Int
}

final class UUIDRow: Object, KeyedRow {
  @Persisted(primaryKey: true) var key: UUID
  @Persisted(indexed: true) var mark: Int
}

final class OptionalUUIDRow: Object, KeyedRow {
  @Persisted(primaryKey: true) var key: UUID?
  @Persisted(indexed: true) var mark: Int
}

final class KindRow: Object, KeyedRow {
  @Persisted(primaryKey: true) var key: Kind
  @Persisted(indexed: true) var mark: Int
}

final class LevelRow: Object, KeyedRow {
  @Persisted(primaryKey: true) var key: Level?
  @Persisted(indexed: true) var mark: Int
}

final class CodeRow: Object, KeyedRow {
  @Persisted(primaryKey: true) var key = Code("A")
  @Persisted(indexed: true) var mark: Int
}

/// An index of every type that can have one.
final class IndexedRow: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var int: Int
  @Persisted(indexed: true) var int8: Int8?
  @Persisted(indexed: true) var bool: Bool
  @Persisted(indexed: true) var optBool: Bool?
  @Persisted(indexed: true) var string: String
  @Persisted(indexed: true) var optString: String?
  @Persisted(indexed: true) var date: Date
  @Persisted(indexed: true) var optDate: Date?
  @Persisted(indexed: true) var objectId: ObjectId
  @Persisted(indexed: true) var optObjectId: ObjectId?
  @Persisted(indexed: true) var uuid: UUID
  @Persisted(indexed: true) var optUuid: UUID?
  @Persisted(indexed: true) var kind: Kind
  @Persisted(indexed: true) var optLevel: Level?
  @Persisted var part: IndexedPart?
}

final class IndexedPart: EmbeddedObject {
  @Persisted(indexed: true) var size: Int
}
