import Dispatch
import Foundation
import LarderObservation

extension ProjectionObservable {
  /// Calls the block when projected properties change, and when the object is deleted.
  ///
  /// Changes bear the projection's names, and the values that it shows. `keyPaths` narrows it to some properties, by their names in the root object. Rules of
  /// threads, queues and tokens are those of `Object.observe`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let (wanted, told) = translation(keyPaths)
    return ObjectObservation.observe(rootObject, wanted, queue) { (news: ObjectNews<Root>) in
      if let change = told(news) { block(change) }
    }
  }

  /// Returns the paths to observe from the root object, and a function that turns news of it into a change of the projection; nil when the news
  /// does not concern it.
  func translation(
    _ keyPaths: [String]?
  ) -> (wanted: [String], told: (ObjectNews<Root>) -> ObjectChange<Self>?) {
    let fields = ProjectionFields.of(self)
    let wanted = keyPaths.flatMap { $0.isEmpty ? nil : $0 } ?? fields.map(\.path)
    let cursor = ObjectObservation.observable(rootObject)
    let observed = ObservedFields(fields, wanted, cursor)
    return (
      wanted,
      { [self] news in
        switch news.change {
        case .error(let error): return .error(error)
        case .deleted: return .deleted
        case .change(let root, _):
          let changed = observed.changed(news.paths)
          if changed.isEmpty { return nil }
          let previous = news.previous()
          return .change(
            // In a method of a base class `Self` is that class.
            root === rootObject ? self : type(of: self).init(projecting: root),
            changed.map { $0.change(of: root, previous) })
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
    let path = _KeyPathTrace.names(of: keyPath, madeFrom: Root.self) { Self(projecting: $0) }
    if path.isEmpty { misuse("\(Self.self) has no projected property at \(keyPath).") }
    return path.joined(separator: ".")
  }
}

/// The fields of a projection that each observed path concerns: those that show just what is at its end, or, where none does, those on the way
/// there and beyond.
private struct ObservedFields {
  private let fields: [ProjectionFields.Field]
  /// Positions in `fields`.
  private let concerned: [DependencyPath: Set<Int>]

  init(_ fields: [ProjectionFields.Field], _ wanted: [String], _ cursor: _ClassCursor) {
    let paths = fields.map { ObservedPaths.paths($0.path, cursor) }
    var concerned: [DependencyPath: Set<Int>] = [:]
    for path in wanted.flatMap({ ObservedPaths.paths($0, cursor) }) {
      let exact = fields.indices.filter { paths[$0].contains(path) }
      let related = fields.indices.filter { index in
        paths[index].contains { $0.starts(with: path) || path.starts(with: $0) }
      }
      concerned[path, default: []].formUnion(exact.isEmpty ? related : exact)
    }
    self.fields = fields
    self.concerned = concerned
  }

  /// In the order of declaration.
  func changed(_ paths: [DependencyPath]) -> [ProjectionFields.Field] {
    let positions = paths.reduce(into: Set<Int>()) { $0.formUnion(concerned[$1] ?? []) }
    return positions.sorted().map { fields[$0] }
  }
}

extension ProjectionFields.Field {
  /// The change of this field, with the values that the projection shows and showed; of a collection no former one (N-42).
  fileprivate func change(of root: ObjectBase, _ previous: ObjectBase?) -> PropertyChange {
    let old = previous.flatMap { value(of: $0) }.flatMap { Self.isCollection($0) ? nil : $0 }
    // An object of the former version is reported as it is now, or as one that was deleted.
    let current = (old as? ObjectBase).flatMap { old in
      root.cursorReference?.host.core.cursor(of: old.model).objectOrGone(old._objectKey)
    }
    return PropertyChange(name: name, oldValue: current ?? old, newValue: value(of: root))
  }

  /// Returns the value that the projection of an object shows; nil where a link on the way is nil.
  private func value(of root: ObjectBase) -> Any? {
    var current: ObjectBase? = root
    for name in path.split(separator: ".").dropLast() {
      guard let next = current?.value(forKey: String(name)) else { return nil }
      current = next as? ObjectBase
      // A collection on the way: what is shown is one, too.
      if current == nil { break }
    }
    return projected.value(of: root)
  }

  private static func isCollection(_ value: Any) -> Bool {
    value is any ManagedCollection || value is any RealmCollectionBase
  }
}
