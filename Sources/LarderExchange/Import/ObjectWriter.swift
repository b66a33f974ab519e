import LarderStorage

/// A class plan with the store's numbers.
struct BoundClass {
  var descriptor: ClassDescriptor
  var properties: [BoundProperty]
  var primaryKeyIndex: Int?

  init(_ plan: ClassPlan, in schema: StoreSchema) throws {
    guard let descriptor = schema[plan.className] else {
      throw ImportError("the class '\(plan.className)' is missing in the store")
    }
    self.descriptor = descriptor
    primaryKeyIndex = plan.primaryKeyIndex
    properties = try plan.properties.map { try BoundProperty($0, of: descriptor, in: schema) }
  }
}

/// A property plan with the store's numbers.
struct BoundProperty {
  var plan: PropertyPlan
  var column: ColumnID
  var inner: BoundClass?
  var finder: LinkFinder?

  init(_ plan: PropertyPlan, of owner: ClassDescriptor, in schema: StoreSchema) throws {
    guard let column = owner.column(named: plan.name) else {
      throw ImportError("the property '\(owner.name).\(plan.name)' is missing in the store")
    }
    self.plan = plan
    self.column = column.id
    switch plan.kind {
    case .embedded(let inner, _), .embeddedList(let inner): self.inner = try BoundClass(inner, in: schema)
    case .link(let link), .linkList(let link):
      guard let target = schema[link.target], let by = target.column(named: link.by) else {
        throw ImportError("the property '\(link.target).\(link.by)' is missing in the store")
      }
      finder = LinkFinder(target, by: by)
    default: break
    }
  }
}

extension BoundProperty {
  var link: LinkPlan? {
    switch plan.kind {
    case .link(let link), .linkList(let link): link
    default: nil
    }
  }

  /// The object a reference names; nil when none is allowed and none is there.
  ///
  /// - Throws: `RecordFault` when it names none or several.
  func resolve(_ reference: LinkReference, in reader: some StoreReader) throws -> ObjectKey? {
    guard let link, let finder else { return nil }
    let text = "'\(plan.name)': no object of '\(link.target)' has \(link.by) \(ValueText.short(reference.value))"
    switch try finder.find(reference.value, in: reader) {
    case .one(let key): return key
    case .none:
      guard link.missing == .error else { return nil }
      throw RecordFault(offset: reference.offset, message: text)
    case .several:
      throw RecordFault(
        offset: reference.offset,
        message: "'\(plan.name)': several objects of '\(link.target)' have \(link.by) "
          + ValueText.short(reference.value))
    }
  }
}

/// Writes prepared objects into a store's write transaction.
struct ObjectWriter {
  let writer: StoreWriter
  /// Links that wait for the end of the file: set by `write`, emptied by the importer.
  var deferred: [DeferredLinks] = []

  struct DeferredLinks {
    var owner: ClassID
    var key: ObjectKey
    /// The object of the record that this one belongs to: itself, or what it is embedded in.
    var root: ObjectKey
    var property: BoundProperty
    var references: [LinkReference]
  }

  init(_ writer: StoreWriter) {
    self.writer = writer
  }

  /// Looks up all links of an object that need not wait, so that a missing target is found before anything is written.
  func check(_ object: PreparedObject, _ owner: BoundClass) throws {
    for (property, value) in zip(owner.properties, object.values) {
      switch value {
      case .link(let reference?) where property.link?.isDeferred == false:
        _ = try property.resolve(reference, in: writer)
      case .links(let references) where property.link?.isDeferred == false:
        for reference in references { _ = try property.resolve(reference, in: writer) }
      case .embedded(let inner?): if let bound = property.inner { try check(inner, bound) }
      case .embeddedList(let objects):
        if let bound = property.inner { for inner in objects { try check(inner, bound) } }
      default: break
      }
    }
  }

  /// Sets all properties of an object but its primary key.
  mutating func write(
    _ object: PreparedObject, to key: ObjectKey, root: ObjectKey? = nil, _ owner: BoundClass
  ) throws {
    let root = root ?? key
    let id = owner.descriptor.id
    for (index, (property, value)) in zip(owner.properties, object.values).enumerated() {
      let column = property.column
      switch value {
      case .scalar(let scalar):
        if index != owner.primaryKeyIndex { try writer.set(id, column, key, scalar) }
      case .missing: break
      case .list(let values): try writer.lists.assign(id, column, key, values)
      case .link(let reference): try write(reference.map { [$0] } ?? [], to: key, root: root, id, property)
      case .links(let references): try write(references, to: key, root: root, id, property)
      case .embedded(nil): try writer.setNull(id, column, key)
      case .embedded(let inner?):
        guard let bound = property.inner else { continue }
        try write(inner, to: try writer.createEmbedded(in: id, column, key), root: root, bound)
      case .embeddedList(let objects):
        guard let bound = property.inner else { continue }
        try writer.lists.clear(id, column, key)
        for (position, inner) in objects.enumerated() {
          try write(inner, to: try writer.insertEmbedded(in: id, column, key, at: position), root: root, bound)
        }
      }
    }
  }

  private mutating func write(
    _ references: [LinkReference], to key: ObjectKey, root: ObjectKey, _ owner: ClassID, _ property: BoundProperty
  ) throws {
    if property.link?.isDeferred == true, !references.isEmpty {
      deferred.append(DeferredLinks(owner: owner, key: key, root: root, property: property, references: references))
    } else {
      try link(references, from: key, owner, property)
    }
  }

  /// Resolves references and stores the links.
  func link(_ references: [LinkReference], from key: ObjectKey, _ owner: ClassID, _ property: BoundProperty) throws {
    let targets = try references.compactMap { try property.resolve($0, in: writer) }
    if case .linkList = property.plan.kind {
      try writer.lists.assign(owner, property.column, key, targets.map { .link($0) })
    } else if let target = targets.first {
      try writer.setLink(owner, property.column, key, target)
    } else {
      try writer.setNull(owner, property.column, key)
    }
  }
}
