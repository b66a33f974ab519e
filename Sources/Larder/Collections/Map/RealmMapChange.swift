/// What happened to an observed map.
///
/// `deletions` and `modifications` are keys of the map before, `insertions` of the one after.
@frozen
public enum RealmMapChange<Collection> where Collection: RealmKeyedCollection {
  /// The first call: the map as it is.
  case initial(Collection)
  /// What changed since the last call.
  case update(
    Collection, deletions: [Collection.Key], insertions: [Collection.Key], modifications: [Collection.Key])
  /// Never sent.
  case error(any Error)
}
