/// A property that groups are made by, of one of the two objects of a pair: `.left(\.origin)`, `.right(\.visibility)`.
public struct JoinedPath<Left: ObjectBase, Right: ObjectBase>: Hashable, Sendable {
  let path: GroupPath

  /// A property of the left object, also over to-one links.
  public static func left(_ keyPath: PartialKeyPath<Left>) -> JoinedPath { .left(_name(for: keyPath)) }
  /// A property of the left object by its name or path.
  public static func left(_ keyPath: String) -> JoinedPath { JoinedPath(path: GroupPath(keyPath)) }
  /// A property of the right object, also over to-one links; nil where there is no right object.
  public static func right(_ keyPath: PartialKeyPath<Right>) -> JoinedPath { .right(_name(for: keyPath)) }
  /// A property of the right object by its name or path.
  public static func right(_ keyPath: String) -> JoinedPath { JoinedPath(path: GroupPath(keyPath, isOfRight: true)) }
}

/// A path, and of which object.
struct GroupPath: Hashable, Sendable {
  let name: String
  let isOfRight: Bool

  init(_ name: String, isOfRight: Bool = false) { (self.name, self.isOfRight) = (name, isOfRight) }
}
