import LarderStorage

/// The place of a managed collection in any Realm of its store; keeps no Realm, and so no version, in use.
struct CollectionPlace {
  let model: ModelClass
  let index: Int
  let key: ObjectKey
  let nested: NestedPlace?

  /// The place in a Realm, whether or not its owner exists there.
  func location(in host: ObjectHost) -> CollectionLocation {
    var result = CollectionLocation(host.cursor(of: model), index, key)
    result.nested = nested
    return result
  }
}

extension CollectionLocation {
  /// The same place in whichever Realm of the store.
  var place: CollectionPlace { CollectionPlace(model: cursor.model, index: index, key: key, nested: nested) }
}
