import Dispatch
import Foundation

extension ProjectionObservable {
  /// Calls the block when projected properties change, and when the object is deleted.
  ///
  /// Changes bear the projection's names. `keyPaths` narrows it to some properties, by their names in the root object. Rules of
  /// threads, queues and tokens are those of `Object.observe`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let (wanted, told) = translation(keyPaths)
    return ObjectObservation.observe(rootObject, wanted, queue) { (change: ObjectChange<Root>) in
      if let change = told(change) { block(change) }
    }
  }

  /// What is observed of the root object, and what a change of it is as one of the projection; nil when it does not concern it.
  func translation(
    _ keyPaths: [String]?
  ) -> (wanted: [String], told: (ObjectChange<Root>) -> ObjectChange<Self>?) {
    let fields = ProjectionFields.of(self)
    if let field = fields.first(where: \.path.isEmpty) {
      misuse("\(Self.self).\(field.name) does not project a stored property; it cannot be observed.")
    }
    let wanted = keyPaths.flatMap { $0.isEmpty ? nil : $0 } ?? fields.map(\.path)
    return (
      wanted,
      { [self] change in
        switch change {
        case .error(let error): return .error(error)
        case .deleted: return .deleted
        case .change(let root, let properties):
          let changed = properties.flatMap { property in fields.compactMap { $0.change(property, root) } }
          return changed.isEmpty ? nil : .change(root === rootObject ? self : Self(projecting: root), changed)
        }
      }
    )
  }

  /// The same for some of the projection's own properties: `[\PersonProjection.city]`.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { Self.path(of: $0) }, on: queue, block)
  }

  /// The path that a property of the projection shows, seen from the root object.
  static func path(of keyPath: PartialKeyPath<Self>) -> String {
    let path = _KeyPathTrace.names(of: Root.self) { _ = Self(projecting: $0)[keyPath: keyPath] }
    if path.isEmpty { misuse("\(Self.self) has no projected property at \(keyPath).") }
    return path.joined(separator: ".")
  }
}

extension ProjectionFields.Field {
  /// A change of a property of the root object as the projection shows it; nil when it does not concern this field.
  fileprivate func change(_ property: PropertyChange, _ root: ObjectBase) -> PropertyChange? {
    if path == property.name {
      return PropertyChange(name: name, oldValue: property.oldValue, newValue: property.newValue)
    }
    guard path.hasPrefix(property.name + ".") else { return nil }
    return PropertyChange(name: name, oldValue: nil, newValue: root.value(forKeyPath: path))
  }
}
