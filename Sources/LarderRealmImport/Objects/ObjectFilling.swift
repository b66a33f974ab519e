import LarderRealmFile
import LarderStorage

/// The second pass: fills the objects of a top-level class with links, mixed values and collections, and makes the embedded objects that
/// they hold.
struct ObjectFilling {
  let state: ImportState
  let transactions: ImportTransactions

  /// The object that is being filled.
  struct Place {
    /// Of its class in the file.
    var index: Int
    var entry: ImportedClass
    /// Its keys in the file and in the store.
    var key: Int64
    var stored: ObjectKey
  }

  func run(_ index: Int, _ entry: ImportedClass) throws {
    try state.file.forEachCluster(of: entry.source) { cluster in
      for (row, key) in cluster.keys.enumerated() {
        // An object that was left out has nothing to be filled.
        guard let stored = state.keys[index].storedKey(of: key) else { continue }
        let place = Place(index: index, entry: entry, key: key, stored: stored)
        for property in entry.others { try fill(property, cluster, row, place) }
        while let made = state.unfilled.popLast() {
          try fillEmbedded(made.link, made.stored)
          try transactions.splitIfFull()
        }
        try transactions.splitIfFull()
      }
      state.show(.linkingObjects, entry.name, done: cluster.keys.count)
      transactions.count(objects: cluster.keys.count)
    }
  }

  private var writer: StoreWriter { transactions.writer }

  /// Fills one property of an object.
  private func fill(
    _ property: ImportedClass.Property, _ cluster: RealmFileCluster, _ row: Int, _ place: Place
  ) throws {
    switch property.column.collection {
    case .none: try fillSingle(try cluster.values(of: property.index)[row], property, place)
    case .list: try fillList(try cluster.collections(of: property.index), row, property, place)
    case .set: try fillSet(try cluster.collections(of: property.index), row, property, place)
    case .map: try fillMap(try cluster.collections(of: property.index), row, property, place)
    }
  }

  // MARK: - Single values

  private func fillSingle(_ value: RealmFileValue, _ property: ImportedClass.Property, _ place: Place) throws {
    if value == .null { return }
    guard case .link(let link) = value, property.column.type == .link else { return try set(value, property, place) }
    guard isEmbedded(property) else { return try set(value, property, place) }
    guard take(link, property, place) else { return }
    let made = try writer.createEmbedded(in: place.entry.id, property.column.id, place.stored)
    noteEmbedded(link, made, property, place)
  }

  /// Sets a single value of any type.
  func set(_ value: RealmFileValue, _ property: ImportedClass.Property, _ place: Place) throws {
    guard let (stored, links) = try converted(value, property, place), !(property.column.holdsLinks && stored.isNull)
    else { return }
    try tolerating(property, place) {
      try writer.set(place.entry.id, property.column.id, place.stored, stored)
      written([stored], links, property, place)
    }
  }

  // MARK: - Collections

  private func fillList(
    _ collections: RealmFileCollections, _ row: Int, _ property: ImportedClass.Property, _ place: Place
  ) throws {
    guard !collections.isUnused(of: row) else { return }
    var count = 0
    try collections.forEachChunk(of: row) { chunk in
      if isEmbedded(property) {
        for element in 0..<chunk.count {
          guard case .link(let link) = chunk[element], take(link, property, place) else { continue }
          let made = try writer.insertEmbedded(in: place.entry.id, property.column.id, place.stored, at: count)
          noteEmbedded(link, made, property, place)
          count += 1
        }
        return
      }
      let (values, links) = try elements(chunk, property, place)
      try tolerating(property, place) {
        try writer.lists.insert(place.entry.id, property.column.id, place.stored, at: count, values)
        count += values.count
        written(values, links, property, place)
      }
    }
  }

  private func fillSet(
    _ collections: RealmFileCollections, _ row: Int, _ property: ImportedClass.Property, _ place: Place
  ) throws {
    guard !collections.isUnused(of: row) else { return }
    var values: [StoredValue] = []
    var links = 0
    try collections.forEachChunk(of: row) { chunk in
      let (some, linked) = try elements(chunk, property, place)
      values += some
      links += linked
    }
    try tolerating(property, place) {
      let inserted = try writer.sets.insert(place.entry.id, property.column.id, place.stored, values)
      written(values, links, property, place)
      for _ in inserted..<values.count {
        omit(.equalElement, "an element of the set equals another one in a store", property, place)
      }
    }
  }

  private func fillMap(
    _ collections: RealmFileCollections, _ row: Int, _ property: ImportedClass.Property, _ place: Place
  ) throws {
    guard !collections.isUnused(of: row) else { return }
    var pairs: [(String, StoredValue)] = []
    var links = 0
    for entry in try collections.entries(of: row) {
      if isEmbedded(property), case .link(let link) = entry.value {
        guard take(link, property, place) else { continue }
        let made = try writer.maps.insertEmbedded(
          in: place.entry.id, property.column.id, place.stored, mapKey: entry.key)
        noteEmbedded(link, made, property, place)
      } else if let (value, linked) = try converted(entry.value, property, place) {
        pairs.append((entry.key, value))
        links += linked
      }
    }
    guard !pairs.isEmpty else { return }
    try tolerating(property, place) {
      try writer.maps.put(place.entry.id, property.column.id, place.stored, pairs)
      written(pairs.map(\.1), links, property, place)
    }
  }

  /// Elements of a list or set that a store can hold.
  private func elements(
    _ chunk: RealmFileColumn, _ property: ImportedClass.Property, _ place: Place
  ) throws -> (values: [StoredValue], links: Int) {
    var values: [StoredValue] = []
    values.reserveCapacity(chunk.count)
    var links = 0
    for element in 0..<chunk.count {
      guard let (value, linked) = try converted(chunk[element], property, place) else { continue }
      // A link that leads nowhere is no element, and was noted.
      if property.column.type == .link, value.isNull { continue }
      values.append(value)
      links += linked
    }
    return (values, links)
  }

  // MARK: - Values

  /// A value as the store has it, and how many links it holds; nil, noted as left out, for one that a store cannot hold.
  private func converted(
    _ value: RealmFileValue, _ property: ImportedClass.Property, _ place: Place
  ) throws -> (StoredValue, links: Int)? {
    var links = 0
    func found(_ link: RealmFileLink) -> ObjectLink? {
      let target = linked(link, property, place)
      if target != nil { links += 1 }
      return target
    }
    func noteChange(_ sentence: String) { omit(.valueTooLarge, sentence, property, place) }
    do {
      let result: StoredValue
      if property.column.type == .link {
        guard case .link(let link) = value, let target = found(link) else { return (.null, 0) }
        result = .link(target.key)
      } else if property.column.type == .mixed {
        result = try ValueConversion.mixed(value, found, noteChange)
      } else {
        result = try ValueConversion.scalar(value, noteChange)
      }
      try property.column.check(result, in: place.entry.descriptor)
      return (result, links)
    } catch let refusal as ValueConversion.Refusal {
      omit(refusal.reason, refusal.detail, property, place)
    } catch let error as StorageError {
      try tolerating(property, place) { throw error }
    }
    return nil
  }

  /// The top-level object that a link leads to; nil, noted as left out, where it is not in the store.
  private func linked(_ link: RealmFileLink, _ property: ImportedClass.Property, _ place: Place) -> ObjectLink? {
    guard let target = state.classes[link.classIndex], !target.isEmbedded else {
      let name = state.file.classes[link.classIndex].name
      omit(.unsupportedTarget, "a link to object \(link.key) of '\(name)', which cannot be linked to", property, place)
      return nil
    }
    guard let stored = state.keys[link.classIndex].storedKey(of: link.key) else {
      omit(.missingObject, "a link to object \(link.key) of '\(target.name)', which is not there", property, place)
      return nil
    }
    return ObjectLink(classID: target.id, key: stored)
  }

  /// Runs `body`; what it throws for a value that does not fit is noted.
  private func tolerating(_ property: ImportedClass.Property, _ place: Place, _ body: () throws -> Void) throws {
    do { try body() } catch let error as StorageError {
      switch error.code {
      case .valueTooLarge: omit(.valueTooLarge, error.message, property, place)
      case .nullForRequired, .typeMismatch: omit(.unsuitableValue, error.message, property, place)
      default: throw error
      }
    }
  }

  private func written(_ values: [StoredValue], _ links: Int, _ property: ImportedClass.Property, _ place: Place) {
    state.countLinks(place.index, property.index, links)
    transactions.count(bytes: values.reduce(0) { $0 + ValueConversion.size($1) })
  }

  private func omit(
    _ reason: RealmOmission.Reason, _ detail: String, _ property: ImportedClass.Property, _ place: Place
  ) {
    state.omit(place.index, place.key, property.index, reason, detail)
  }

  // MARK: - Embedded objects

  private func isEmbedded(_ property: ImportedClass.Property) -> Bool {
    property.target.flatMap { state.classes[$0] }?.isEmbedded ?? false
  }

  /// Takes an embedded object for its parent; false, noted as left out, where that cannot be.
  private func take(_ link: RealmFileLink, _ property: ImportedClass.Property, _ place: Place) -> Bool {
    let name = state.file.classes[link.classIndex].name
    switch state.takeEmbedded(link) {
    case true?: return true
    case false?:
      omit(
        .embeddedWithTwoParents, "embedded object \(link.key) of '\(name)', which another object or place holds",
        property, place)
    case nil: omit(.missingObject, "embedded object \(link.key) of '\(name)', which is not there", property, place)
    }
    return false
  }

  /// Notes an embedded object that was just made in a property of its parent; it is filled after the parent.
  private func noteEmbedded(
    _ link: RealmFileLink, _ made: ObjectKey, _ property: ImportedClass.Property, _ parent: Place
  ) {
    state.countLinks(parent.index, property.index)
    state.countCarried(link.classIndex)
    transactions.count(objects: 1)
    state.unfilled.append((link, made))
  }

  private func fillEmbedded(_ link: RealmFileLink, _ made: ObjectKey) throws {
    guard let entry = state.classes[link.classIndex],
      let object = try state.file.object(of: entry.source, key: link.key)
    else { return }
    let place = Place(index: link.classIndex, entry: entry, key: link.key, stored: made)
    for property in entry.scalars {
      let value = try object.value(of: property.index)
      if value != .null || !property.column.isOptional { try set(value, property, place) }
    }
    for property in entry.others { try fill(property, object.cluster, object.row, place) }
  }
}
