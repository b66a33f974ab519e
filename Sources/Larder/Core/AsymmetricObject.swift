/// Base class of objects that are only sent to the server: measurements, log entries and the like (Y-46).
///
/// They are made with `Realm.create(_:value:)` in a write transaction of a synced Realm, wait there until they are uploaded in their order with
/// everything else, and are deleted from the store when the server has confirmed them. They need a primary key and no subscription; they may have
/// embedded objects and links to synced classes, and nothing can link to them. They cannot be read, queried or subscribed to, and no device is
/// sent any of them.
///
/// ```swift
/// final class Measurement: AsymmetricObject {
///   @Persisted(primaryKey: true) var _id: ObjectId
///   @Persisted var celsius: Double
/// }
///
/// try realm.write { realm.create(Measurement.self, value: ["celsius": 21.5]) }
/// ```
///
/// In the default schema of synced Realms. A local Realm cannot hold them: naming one in `objectTypes` fails, and creating one is misuse.
open class AsymmetricObject: ObjectBase {
  public required init() { super.init() }

  /// An instance from a dictionary, an array in the order of the properties, or another object.
  public convenience init(value: Any) {
    self.init()
    orMisuse { try fill(from: value) }
  }

  /// The class as the Realm knows it.
  public var objectSchema: ObjectSchema { ObjectSchema(model) }
  open override class func isAsymmetric() -> Bool { true }

  /// A property by name; an unknown name, or a value that does not fit, is misuse.
  open subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }
}

/// The class under another name, for files that have an `AsymmetricObject` of their own.
public typealias RealmSwiftAsymmetricObject = AsymmetricObject
