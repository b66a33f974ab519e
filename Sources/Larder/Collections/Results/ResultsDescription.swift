import LarderQuery

/// A description of results that finds them in any Realm of their store; keeps no Realm, and so no version, in use.
enum ResultsDescription {
  case objects(ResultsQuery, ModelClass, ProjectionMaker?)
  case values(CollectionPlace, isAscending: Bool?, isDistinct: Bool)

  /// The results in a Realm; empty where what they come from does not exist.
  func state(in host: ObjectHost) -> ResultsState {
    switch self {
    case .objects(let query, let model, let projection):
      ResultsState(host, .objects(query, host.cursor(of: model)), projection)
    case .values(let place, let isAscending, let isDistinct):
      ResultsState(host, .values(place.location(in: host), isAscending: isAscending, isDistinct: isDistinct))
    }
  }

  /// The results in a Realm; nil where the collection of values, or the object whose inverse they are, does not exist.
  func stateIfThere(in host: ObjectHost) -> ResultsState? {
    switch self {
    case .objects(let query, _, _):
      if case .backlinks(let target, _, _) = query.source,
        !orMisuse({ try host.reader.contains(target.classID, target.key) })
      {
        return nil
      }
    case .values(let place, _, _): if !place.location(in: host).isAlive { return nil }
    }
    return state(in: host)
  }
}

extension ResultsState {
  /// The same contents in whichever Realm of the store.
  var description: ResultsDescription {
    switch source {
    case .objects(let query, let cursor): .objects(query, cursor.model, projection)
    case .values(let list, let isAscending, let isDistinct):
      .values(list.place, isAscending: isAscending, isDistinct: isDistinct)
    }
  }
}
