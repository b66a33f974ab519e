import Foundation

/// What happened to an observed object.
@frozen
public enum ObjectChange<T> {
  case error(_ error: NSError)
  case change(_: T, _: [PropertyChange])
  case deleted
}

/// One changed property of an observed object.
public struct PropertyChange {
  public let name: String
  /// The value before; nil when the write was made where the object is observed, and for collections.
  public let oldValue: Any?
  public let newValue: Any?
}

/// What happened to an observed collection.
///
/// `deletions` and `modifications` are positions in the collection before, `insertions` in the one after.
@frozen
public enum RealmCollectionChange<CollectionType> {
  case initial(CollectionType)
  case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
  case error(any Error)
}

/// What happened to an observed map.
///
/// `deletions` and `modifications` are keys of the map before, `insertions` of the one after.
@frozen
public enum RealmMapChange<Collection> where Collection: RealmKeyedCollection {
  case initial(Collection)
  case update(
    Collection, deletions: [Collection.Key], insertions: [Collection.Key], modifications: [Collection.Key])
  case error(any Error)
}

/// What happened to a sectioned collection.
@frozen
public enum SectionedResultsChange<Collection> {
  case initial(Collection)
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}

public struct ProjectedPropertyChange {
  public let name: String
  public let oldValue: Any?
  public let newValue: Any?
}

extension Realm {
  /// What a Realm tells its observers.
  @frozen
  public enum Notification: String, Sendable {
    case didChange = "RLMRealmDidChangeNotification"
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }
}

public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void
