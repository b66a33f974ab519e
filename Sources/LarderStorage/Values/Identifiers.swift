/// Number of a class in one store: given once, never reused, kept through renames (L-4).
public struct ClassID: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: UInt16
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }
  public static func < (lhs: ClassID, rhs: ClassID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Number of a column in one class: given once, never reused, kept through renames (L-4).
///
/// Column 0 is the presence bitmap of a cluster; properties start at 1.
public struct ColumnID: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: UInt16
  @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }
  public static let presence = ColumnID(rawValue: 0)
  public static func < (lhs: ColumnID, rhs: ColumnID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Number of an object in its class: given in ascending order from 0, never reused (L-5).
public struct ObjectKey: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: UInt64
  @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }
  @inlinable public static func < (lhs: ObjectKey, rhs: ObjectKey) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// An object of a store: its class and its key.
public struct ObjectLink: Hashable, Sendable {
  public let classID: ClassID
  public let key: ObjectKey
  public init(classID: ClassID, key: ObjectKey) {
    self.classID = classID
    self.key = key
  }
}
