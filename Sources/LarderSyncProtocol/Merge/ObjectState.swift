/// The state of an object on the server: its values with their stamps, so that operations may come in any order.
///
/// It is a value. Merging changes it in place as long as it is the only copy.
public struct ObjectState: Sendable {
  /// The newest creation.
  public internal(set) var created = Stamp.zero
  /// The newest deletion: content that is not newer is void.
  public internal(set) var deleted = Stamp.zero
  /// The last version of the server's log that named the object, with effect or without.
  public internal(set) var touchedVersion: UInt64 = 0
  var root = Container(.object, .root)

  /// An object that is not known.
  public init() {}

  /// True if anything was ever said of the object.
  public var isKnown: Bool { created != .zero || deleted != .zero }

  /// True if the object is there (MR-14).
  public var isAlive: Bool { created > deleted }

  /// The value of a property; nil when it has none or is a declared collection without elements.
  public func value(of property: SyncText) -> SyncValue? {
    let (index, isThere) = root.find(property)
    guard isThere else { return nil }
    let slot = root.entries[index].slot
    if let fixed = slot.fixed.first, fixed.isEmpty(above: deleted) { return nil }
    return slot.image(above: deleted)
  }

  /// The object as devices see it. Properties without value and declared collections without elements are not listed.
  public func properties() -> [SyncProperty] { root.properties(above: deleted) }

  /// A property for a device that has to take it over whole.
  func column(_ property: SyncText) -> SyncProperty {
    let (index, isThere) = root.find(property)
    let value = isThere ? root.entries[index].slot.image(above: deleted) : nil
    return SyncProperty(property, value ?? .null)
  }
}

/// The outcome of an operation: its result, and the changes that other devices have to make because of it.
public struct MergedEdit: Sendable {
  /// The result of the operation.
  public let result: OperationResult
  /// The changes for devices that have the object.
  public let deltas: [CellDelta]
  /// True if devices that have the object need it whole, should it still be there: a deletion has made content void.
  public let changesAll: Bool
}

extension ObjectState {
  /// Merges an edit with the stamp of its operation, whether the object is there or not (MR-7 to MR-14).
  ///
  /// It costs time in the number of properties, and in the length of the list that the edit changes.
  public mutating func merge(_ edit: SyncEdit, stamp: Stamp) -> MergedEdit {
    merge(edit, stamp: stamp, [])
  }

  mutating func merge(_ edit: SyncEdit, stamp: Stamp, _ research: ResearchRules) -> MergedEdit {
    switch edit {
    case .create(let properties): return create(properties, stamp: stamp, research)
    case .delete:
      let wasAlive = isAlive
      let raises = stamp > deleted
      deleted = max(deleted, stamp)
      return MergedEdit(
        result: isAlive ? .whole : .plain, deltas: [], changesAll: wasAlive && raises)
    default:
      guard let path = edit.path else { return MergedEdit(result: .noop, deltas: [], changesAll: false) }
      var context = MergeContext(stamp: stamp, floor: deleted, research: research)
      let result = root.merge(edit, at: path, &context)
      return MergedEdit(result: result, deltas: context.deltas, changesAll: false)
    }
  }

  private mutating func create(
    _ properties: [CreatedProperty], stamp: Stamp, _ research: ResearchRules
  ) -> MergedEdit {
    let wasKnown = isKnown
    created = max(created, stamp)
    var deltas: [CellDelta] = []
    for property in properties where stamp > deleted {
      let index = root.index(of: property.name)
      guard root.entries[index].slot.fixed.isEmpty else { continue }
      let before = wasKnown ? root.entries[index].slot.image(above: deleted) : nil
      let written = Written(stamp, property.value)
      if property.rank == .explicit {
        root.entries[index].slot.create(written, research)
      } else {
        root.entries[index].slot.writeLower(written, rank: property.rank, research)
      }
      let after = root.entries[index].slot.image(above: deleted)
      if wasKnown, before != after { deltas.append(.set(SyncPath(property.name), after ?? .null)) }
    }
    return MergedEdit(result: wasKnown ? .whole : .plain, deltas: deltas, changesAll: false)
  }

  /// Drops what only operations from before the end of the log could still need (MR-22). What devices see stays as it is.
  ///
  /// An object that is not there is forgotten; the caller removes it.
  public mutating func trim() {
    guard isAlive else {
      self = ObjectState()
      return
    }
    root.trim(above: deleted)
  }
}
