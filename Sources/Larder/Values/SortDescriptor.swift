/// A key path to sort by, and the direction.
public struct SortDescriptor: Sendable {
  public let keyPath: String
  public let ascending: Bool

  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }

  public init<Element>(keyPath: PartialKeyPath<Element>, ascending: Bool = true) where Element: ObjectBase {
    self.init(keyPath: _name(for: keyPath), ascending: ascending)
  }

  public func reversed() -> SortDescriptor { SortDescriptor(keyPath: keyPath, ascending: !ascending) }
}

extension SortDescriptor: CustomStringConvertible {
  public var description: String { "SortDescriptor(keyPath: \(keyPath), ascending: \(ascending))" }
}

extension SortDescriptor: Equatable {
  public static func == (lhs: SortDescriptor, rhs: SortDescriptor) -> Bool {
    lhs.keyPath == rhs.keyPath && lhs.ascending == rhs.ascending
  }
}

extension SortDescriptor: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(keyPath: value) }
}
