/// Base class of objects that Realm's sync service takes in and no Realm keeps.
///
/// Kept so that programs with such classes compile. A local Realm cannot hold them: they are in no default schema, naming one in
/// `objectTypes` fails, and creating one is misuse.
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
  open override class func shouldIncludeInDefaultSchema() -> Bool { false }

  /// A property by name; an unknown name, or a value that does not fit, is misuse.
  open subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }
}

/// The class under another name, for files that have an `AsymmetricObject` of their own.
public typealias RealmSwiftAsymmetricObject = AsymmetricObject

extension Realm {
  /// Always misuse: asymmetric objects go to a sync service, which a local Realm does not have.
  public func create<T>(_ type: T.Type, value: Any = [String: Any]()) where T: AsymmetricObject {
    misuse("\(T.className()) is asymmetric: such objects need a sync service and cannot be created in a local Realm.")
  }
}
