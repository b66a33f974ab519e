/// Neighbouring objects of a class. May be kept and used on any thread while the file is open.
public final class RealmFileCluster: Sendable {
  /// The objects' keys, ascending.
  public let keys: [Int64]

  init(keys: [Int64]) { self.keys = keys }

  /// The values of a property of all these objects, in the order of `keys`; whole collections as `values`. Decoded once and then kept.
  public func values(of propertyIndex: Int) throws -> RealmFileColumn { .values([]) }

  /// The collections of a property of all these objects, whose elements are not read yet.
  public func collections(of propertyIndex: Int) throws -> RealmFileCollections { RealmFileCollections(count: 0) }
}

/// One object.
public struct RealmFileObject: Sendable {
  /// Where the object is.
  public let cluster: RealmFileCluster
  /// Its index among the objects of the cluster.
  public let row: Int
  /// Its key in its class.
  public var key: Int64 { cluster.keys[row] }

  /// The value of a property.
  public func value(of propertyIndex: Int) throws -> RealmFileValue { try cluster.values(of: propertyIndex)[row] }
}
