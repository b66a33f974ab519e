import LarderStorage

/// Unmanaged objects, and what they lead to.
extension AddPlan {
  mutating func check(_ object: ObjectBase, _ cursor: _ClassCursor, _ isOwned: Bool) throws {
    let model = cursor.model
    guard seen.insert(ObjectIdentifier(object)).inserted else {
      // Of an object in input each place gets a copy.
      if model.isEmbedded, !copies { throw Realm.Error.secondParent(model) }
      return
    }
    if model.isEmbedded, !isOwned { throw Realm.Error.embeddedAlone(model) }
    let descriptor = try host.reader.descriptor(cursor.classID)
    for property in model.properties {
      if property.isObject {
        try checkLinks(of: object, property, cursor)
      } else if property.type == .any {
        try checkAny(property.accessor.boxed(object.address), property, model)
      } else if property.kind == .none {
        guard property.accessor.hasValue(object.address) else {
          throw Realm.Error.invalid(
            model.lacksDefault(property.name), className: model.name, propertyName: property.name)
        }
        let value = property.accessor.storedValue(object.address)
        try descriptor.column(cursor.columns[property.index])?.check(value, in: descriptor)
        if property.isPrimaryKey { try claims.claim(value, property, cursor, policy) }
      }
    }
    guard KeyClaims.areUniqueTogether(in: cursor) else { return }
    let key = model.primaryKey?.accessor.storedValue(object.address)
    try claims.claim(cursor, row: try key.flatMap { try existing($0, cursor) }, primaryKey: key) {
      model.properties[cursor.index(of: $0)].accessor.storedValue(object.address)
    }
  }

  private mutating func checkLinks(of object: ObjectBase, _ property: ModelProperty, _ cursor: _ClassCursor) throws {
    guard let target = cursor.target(property.index) else { return }
    let value = property.accessor.boxed(object.address)
    let linked = ValueConverter.collection(value)?.boxedElements() ?? [value]
    for case let object as ObjectBase in linked {
      guard object.model.name == target.model.name else {
        throw Realm.Error.otherClass(object, property, cursor.model)
      }
      guard object.isManaged else {
        enqueue(.object(object, target, isOwned: target.model.isEmbedded))
        continue
      }
      if copies, target.model.isEmbedded || object.host !== host {
        try checkCopying(object, target)
        continue
      }
      try checkManaged(object)
      if target.model.isEmbedded { throw Realm.Error.secondParent(target.model) }
    }
  }

  /// Looks at the copy that will be made of a managed object that an unmanaged one in the input leads to.
  private mutating func checkCopying(_ object: ObjectBase, _ target: _ClassCursor) throws {
    guard !object.isInvalidated else {
      throw Realm.Error.invalid(object.deletedMessage, className: object.model.name)
    }
    guard !object.model.isDynamic else { throw Realm.Error.noCopy(object.model) }
    enqueue(.object(try detaching.copyAll(of: object), target, isOwned: target.model.isEmbedded))
  }

  /// Looks at what values of any type link to, and how deep they nest.
  mutating func checkAny(_ value: Any, _ property: ModelProperty, _ model: ModelClass) throws {
    var contents = AnyContents(property, model)
    try contents.add(value)
    for object in contents.objects {
      if object.model.isEmbedded { throw Realm.Error.embeddedAlone(object.model) }
      if object.isManaged {
        try checkManaged(object)
      } else {
        enqueue(.object(object, try host.verifiedCursor(for: type(of: object)), isOwned: false))
      }
    }
  }
}
