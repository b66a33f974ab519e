import LarderSync
import SyncModel

/// A city as a newer program has it: with one property more.
final class NewerCity: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var name: String
  @Persisted var country: String
  @Persisted var mayor: String?
  @Persisted var districts: List<String>

  override class func _realmObjectName() -> String? { "City" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A class that the server of Fixtures/sync does not have.
final class Street: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var name: String

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A class whose keys are texts.
final class Note: Object {
  @Persisted(primaryKey: true) var key: String
  @Persisted var text: String

  override class func shouldIncludeInDefaultSchema() -> Bool { false }

  /// The class in a schema file, and its role.
  static let declaration = #""Note": { "primaryKey": "key", "properties": { "key": "string", "text": "string" } }"#
}

/// A city as an older program has it: with two properties alone.
final class OlderCity: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var name: String

  override class func _realmObjectName() -> String? { "City" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A city with properties of other types than the server's.
final class OtherCity: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var name: String
  @Persisted var population: String
  @Persisted var alternateNames: List<Int>

  override class func _realmObjectName() -> String? { "City" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The class of objects that devices of a server with this class only send.
final class Measurement: AsymmetricObject {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var celsius: Double
  @Persisted var remarks: List<String>
  @Persisted var city: City?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }

  /// The class in a schema file.
  static let declaration = """
    "Measurement": {
      "kind": "asymmetric", "primaryKey": "_id",
      "properties": {
        "_id": "int", "celsius": "double", "remarks": { "type": "string", "collection": "list" },
        "city": { "type": "link", "target": "City", "optional": true }
      }
    }
    """
}
