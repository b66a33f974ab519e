/// A property of a `Projection`: shows a property of its object, or one that the object leads to.
///
/// Reading and writing go through to that object, on the same terms.
@propertyWrapper
public struct Projected<T, Value> where T: ObjectBase {
  let projectedKeyPath: KeyPath<T, Value>

  @available(*, unavailable, message: "@Projected can only be used as a property of a Projection")
  public var wrappedValue: Value {
    get { misuse("@Projected can only be used in a Projection.") }
    // swift-format-ignore
    set { _ = newValue; misuse("@Projected can only be used in a Projection.") }
  }

  /// Reads and writes the projected property; writing to a path that cannot be set, such as one over an optional link, is misuse.
  public static subscript<EnclosingSelf>(
    _enclosingInstance observed: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Projected<T, Value>>
  ) -> Value where EnclosingSelf: Projection<T> {
    get { observed.rootObject[keyPath: observed[keyPath: storageKeyPath].projectedKeyPath] }
    set {
      let projected = observed[keyPath: storageKeyPath]
      guard let path = projected.projectedKeyPath as? ReferenceWritableKeyPath<T, Value> else {
        misuse(
          "The projected property '\(projected.path)' of \(EnclosingSelf.self) cannot be set through the projection.")
      }
      observed.rootObject[keyPath: path] = newValue
    }
  }

  /// Shows the property at a key path, such as `\Person.name` or `\Person.address?.city`.
  ///
  /// The path has to lead over stored properties; this is checked when the first projection of the class is made.
  public init(_ projectedKeyPath: KeyPath<T, Value>) { self.projectedKeyPath = projectedKeyPath }
}

/// A `Projected` of any type.
protocol AnyProjected {
  /// Dotted names of the projected property, seen from the root object; empty when it is not stored.
  var path: String { get }
  /// The property as the projection of an object shows it; nil for nil.
  func value(of root: ObjectBase) -> Any?
  /// The text of what the projection of an object shows.
  func text(of root: ObjectBase) -> String
}

extension Projected: AnyProjected {
  var path: String { _name(for: projectedKeyPath) }

  func text(of root: ObjectBase) -> String { (root as? T).map { "\($0[keyPath: projectedKeyPath])" } ?? "" }

  func value(of root: ObjectBase) -> Any? {
    guard let root = root as? T else { return nil }
    let value: Any = root[keyPath: projectedKeyPath]
    if let optional = value as? any AnyOptional { return optional.unwrapped }
    return ValueConverter.isNil(value) ? nil : value
  }
}
