/// A change of an observed map.
///
/// `deletions` and `modifications` are keys of the map before, `insertions` of the one after.
@frozen
public enum RealmMapChange<Collection> where Collection: RealmKeyedCollection {
  /// The first call: the map as it is.
  case initial(Collection)
  /// The changes since the last call.
  case update(
    Collection, deletions: [Collection.Key], insertions: [Collection.Key], modifications: [Collection.Key])
  /// Never sent.
  case error(any Error)
}
