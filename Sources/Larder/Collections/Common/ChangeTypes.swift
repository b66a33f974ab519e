import Foundation

/// A change of an observed object.
@frozen
public enum ObjectChange<T> {
  /// Never sent.
  case error(_ error: NSError)
  /// Properties were changed; each is named once.
  case change(_: T, _: [PropertyChange])
  /// The object was deleted. There are no further calls.
  case deleted
}

/// One changed property of an observed object.
public struct PropertyChange {
  /// The name of the property in Swift.
  public let name: String
  /// The value before; nil when the write was made where the object is observed, and for collections.
  public let oldValue: Any?
  /// The value now; nil for null. Of a collection, the live collection.
  public let newValue: Any?
}

/// A change of an observed collection.
///
/// `deletions` and `modifications` are positions in the collection before, `insertions` in the one after.
@frozen
public enum RealmCollectionChange<CollectionType> {
  /// The first call: the collection as it is.
  case initial(CollectionType)
  /// The changes since the last call.
  case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
  /// Never sent.
  case error(any Error)
}

/// One changed property of an observed projection.
public struct ProjectedPropertyChange {
  /// The name of the property in the projection.
  public let name: String
  /// The value before; nil when the write was made where the projection is observed, and over links.
  public let oldValue: Any?
  /// The value now.
  public let newValue: Any?
}

extension Realm {
  /// A notification that a Realm sends its observers.
  @frozen
  public enum Notification: String, Sendable {
    /// The Realm moved to a version with changes.
    case didChange = "RLMRealmDidChangeNotification"
    /// There is a newer version, and the Realm does not move by itself.
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }
}

/// Called by `Realm.observe(_:)`, where the Realm lives.
public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void
