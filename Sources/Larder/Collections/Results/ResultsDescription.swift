import LarderQuery

/// What results hold in whichever Realm of their store; keeps no Realm, and so no version, in use.
enum ResultsDescription {
  case objects(ResultsQuery, ModelClass, ProjectionMaker?)
  case values(CollectionPlace, isAscending: Bool?, isDistinct: Bool)

  /// The results in a Realm; empty where what they come from does not exist.
  func state(in core: RealmCore) -> ResultsState {
    switch self {
    case .objects(let query, let model, let projection):
      ResultsState(core, .objects(query, core.cursor(of: model)), projection)
    case .values(let place, let isAscending, let isDistinct):
      ResultsState(core, .values(place.location(in: core), isAscending: isAscending, isDistinct: isDistinct))
    }
  }

  /// The results in a Realm; nil where the collection of values, or the object whose inverse they are, does not exist.
  func stateIfThere(in core: RealmCore) -> ResultsState? {
    switch self {
    case .objects(let query, _, _):
      if case .backlinks(let target, _, _) = query.source,
        !orMisuse({ try core.reader.contains(target.classID, target.key) })
      {
        return nil
      }
    case .values(let place, _, _): if !place.location(in: core).isAlive { return nil }
    }
    return state(in: core)
  }
}
