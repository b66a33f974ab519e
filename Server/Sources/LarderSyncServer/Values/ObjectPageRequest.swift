/// A request for the next objects of a class, in the order of their primary keys' bytes.
public struct ObjectPageRequest: Hashable, Sendable {
  public var className: String
  /// The last key of the page before; nil for the first page.
  public var after: [UInt8]?
  /// The largest number of objects. A page with fewer is the last one.
  public var limit: Int
  /// Narrows what is read; never decides.
  public var filter: QueryFilter
  /// True if what is kept of deleted objects comes as well.
  public var includesDeleted: Bool

  public init(
    className: String, after: [UInt8]? = nil, limit: Int, filter: QueryFilter = .unknown, includesDeleted: Bool = false
  ) {
    self.className = className
    self.after = after
    self.limit = limit
    self.filter = filter
    self.includesDeleted = includesDeleted
  }
}
