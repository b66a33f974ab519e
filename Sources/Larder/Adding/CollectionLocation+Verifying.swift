import LarderStorage

extension CollectionLocation {
  /// Throws unless elements can be put into the collection with everything they reach, for the throwing forms: afterwards nothing
  /// ends the process, and a call that throws has changed nothing (E-0b). Costs a look at every object to be added.
  func verifyElements<Element: RealmCollectionValue>(_ elements: some Sequence<Element>) throws {
    guard property.isObject else { return }
    try verifyWritable()
    var plan = AddPlan(host, host.adding.policy)
    let objects = elements.map { $0._rlmObjcValue }
    for case let object as ObjectBase in objects where object.isManaged && object.host !== host {
      throw Realm.Error.otherRealm(object.model)
    }
    if property.kind == .map {
      let entries = objects.enumerated().map { ("\($0.offset)", $0.element) }
      try plan.set(Dictionary(uniqueKeysWithValues: entries), property, cursor.typed ?? cursor)
    } else {
      try plan.set(objects, property, cursor.typed ?? cursor)
    }
  }
}
