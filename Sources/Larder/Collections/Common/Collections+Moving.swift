extension List: MovableBetweenRealms {
  func moved(to host: ObjectHost) -> List<Element>? { location?.moved(to: host).map { List($0) } }
  func passage() -> Passage { locatedPassage() }
}

extension MutableSet: MovableBetweenRealms {
  func moved(to host: ObjectHost) -> MutableSet<Element>? { location?.moved(to: host).map { MutableSet($0) } }
  func passage() -> Passage { locatedPassage() }
}

extension Map: MovableBetweenRealms {
  func moved(to host: ObjectHost) -> Map<Key, Value>? { location?.moved(to: host).map { Map($0) } }
  func passage() -> Passage { locatedPassage() }
}

extension LocatedContents where Self: ThreadConfined {
  fileprivate func locatedPassage() -> Passage {
    guard let place = location?.place else { return { _ in nil } }
    return { host in
      let found = place.location(in: host)
      return found.isAlive ? Self(found) : nil
    }
  }
}

extension Results: MovableBetweenRealms {
  func moved(to host: ObjectHost) -> Results<Element>? { state.moved(to: host).map { Results($0) } }
  func passage() -> Passage {
    let description = state.description
    return { description.stateIfThere(in: $0).map { Results<Element>($0) } }
  }
}

extension LinkingObjects: MovableBetweenRealms {
  func moved(to host: ObjectHost) -> LinkingObjects<Element>? {
    state?.moved(to: host).map { LinkingObjects(propertyName, $0) }
  }
  func passage() -> Passage {
    guard let description = state?.description else { return { _ in nil } }
    return { [propertyName] host in
      description.stateIfThere(in: host).map { LinkingObjects<Element>(propertyName, $0) }
    }
  }
}

extension AnyRealmCollection: MovableBetweenRealms {
  func moved(to host: ObjectHost) -> AnyRealmCollection<Element>? { base.moved(to: host) }
  func passage() -> Passage { base.passage() }
}
