import Foundation
import LarderLocks

/// An object that can be observed as a projection of another.
public protocol ProjectionObservable: AnyObject, ThreadConfined {
  /// The class that is projected.
  associatedtype Root: ObjectBase
  /// The projected object.
  var rootObject: Root { get }
  /// The projection of an object.
  init(projecting object: Root)
}

/// A view of an object that shows some of its properties, under names of its own.
///
/// Subclass it and declare what to show: `@Projected(\Person.address?.city) var city`. A projection costs one small object and
/// holds nothing itself: reading and writing go to its object, on the object's terms.
open class Projection<Root>: RealmCollectionValue, ProjectionObservable, CustomStringConvertible
where Root: ObjectBase, Root: RealmCollectionValue, Root: ThreadConfined {
  public typealias PersistedType = Root

  /// The object that is shown.
  public final let rootObject: Root

  /// The projection of an object, managed or not.
  ///
  /// A class without `@Projected` properties is misuse, as is one that projects a property that is not stored.
  public required init(projecting object: Root) {
    rootObject = object
    ProjectionFields.verify(self)
  }

  /// Returns true if both show the same row, or the same unmanaged object.
  public static func == (lhs: Projection<Root>, rhs: Projection<Root>) -> Bool {
    lhs.rootObject === rhs.rootObject || lhs.rootObject.isSameRow(as: rhs.rootObject)
  }

  /// By row for managed objects, else by instance.
  public func hash(into hasher: inout Hasher) {
    if rootObject.isManaged {
      hasher.combine(rootObject._objectKey)
    } else {
      hasher.combine(ObjectIdentifier(rootObject))
    }
  }

  /// The projected properties with what they show, and their values.
  open var description: String {
    if isInvalidated { return "[invalid object]" }
    let lines = ProjectionFields.of(self).map { field in
      "\t\(field.name)(\\.\(field.path)) = \(field.projected.text(of: rootObject));"
    }
    let identity = String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)
    return "\(type(of: self))<\(Root.className())> <0x\(identity)> {\n\t\(lines.joined(separator: "\n"))\n}"
  }

  // MARK: - What collections need

  public static func _rlmFromObjc(_ value: Any, insideOptional: Bool) -> Self? {
    (value as? Root).map { Self(projecting: $0) }
  }
  public var _rlmObjcValue: Any { rootObject }
  public static func _rlmDefaultValue() -> Self { Self(projecting: Root()) }
}

extension Projection: RealmFetchable {
  /// The name of the projected class.
  public static func className() -> String { Root.className() }
}

extension Projection: KeypathSortable {}

extension Projection: ThreadConfined {
  /// The Realm of its object.
  public var realm: Realm? { rootObject.realm }
  public var isInvalidated: Bool { rootObject.isInvalidated }
  public var isFrozen: Bool { rootObject.isFrozen }
  /// The projection of the frozen object.
  public func freeze() -> Self { Self(projecting: rootObject.freeze()) }
  /// The projection of the live object on this thread; nil when that is deleted.
  public func thaw() -> Self? { rootObject.thaw().map { Self(projecting: $0) } }
}

extension Projection: MovableBetweenRealms {
  func moved(to host: ObjectHost) -> Self? {
    host.counterpart(of: rootObject).map { Self(projecting: $0) }
  }

  func passage() -> Passage {
    let passage = ObjectHost.passage(to: rootObject)
    return { (passage($0) as? Root).map { Self(projecting: $0) } }
  }
}

extension Projection: AnyProjection {
  static var rootType: ObjectBase.Type { Root.self }
  static func make(_ object: ObjectBase) -> Any {
    guard let root = object as? Root else { misuse("\(object.model.name) is not \(Root.className()).") }
    return Self(projecting: root)
  }
  var root: ObjectBase { rootObject }
}

/// The projected properties of a projection class: names in the projection, and paths from the root object.
enum ProjectionFields {
  private static let verified = Lock<Set<ObjectIdentifier>>([])

  /// Misuse for a projection whose class projects nothing, or something that is not stored.
  static func verify(_ projection: some AnyObject) {
    let type = type(of: projection)
    if verified.withLock({ $0.contains(ObjectIdentifier(type)) }) { return }
    let fields = of(projection)
    if let field = fields.first(where: \.path.isEmpty) {
      misuse(
        "\(type).\(field.name) projects no stored property; @Projected takes the key path of a property that is declared with @Persisted."
      )
    }
    if fields.isEmpty {
      misuse("\(type) has no @Projected properties; declare what it shows: @Projected(\\Person.name) var name.")
    }
    verified.withLock { _ = $0.insert(ObjectIdentifier(type)) }
  }

  struct Field {
    var name: String
    var path: String
    var projected: any AnyProjected
  }

  /// In the order of declaration, inherited ones first.
  static func of(_ projection: Any) -> [Field] {
    var mirror: Mirror? = Mirror(reflecting: projection)
    var result: [Field] = []
    while let current = mirror {
      let fields = current.children.compactMap { label, value in
        (value as? any AnyProjected).map {
          Field(name: String((label ?? "").dropFirst()), path: $0.path, projected: $0)
        }
      }
      result = fields + result
      mirror = current.superclassMirror
    }
    return result
  }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
  /// The identity of the projected object: the row for a managed one, the instance for an unmanaged one.
  public var id: UInt64 { rootObject.identity }
}
