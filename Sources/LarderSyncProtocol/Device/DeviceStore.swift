/// The store of a device, as far as synchronisation changes it. Names within values mean nothing to a store.
///
/// Changes come in one transaction with the device's own state; none of them is logged for upload.
public protocol DeviceStore {
  /// The objects that are there, for a rebuild.
  var objects: [ObjectName] { get }

  /// The objects of a class with keys in a range: after one, nil for the beginning, up to another one, nil for the end.
  func objects(of className: SyncText, after: PrimaryKey?, through: PrimaryKey?) -> [ObjectName]

  /// Returns the details of an object that `Device.takeChanges` handed out last; nil when those were none. Only a device that was restored asks.
  func details(of object: ObjectName) -> [UInt8]?

  /// Returns true if an object is there.
  func contains(_ object: ObjectName) -> Bool

  /// The value of a slot; nil when there is none.
  func value(_ object: ObjectName, _ path: LocalPath) -> SyncValue?

  /// Makes an object be exactly this; nil removes it. Links to it stay.
  mutating func replace(_ object: ObjectName, with properties: [SyncProperty]?)

  /// Assigns a slot, also a key that is not in its map yet. `.null` empties a declared collection.
  mutating func set(_ object: ObjectName, _ path: LocalPath, _ value: SyncValue)

  /// Takes a key out of the map at a path.
  mutating func removeKey(_ key: SyncText, _ object: ObjectName, _ path: LocalPath)

  /// Puts a value into the set at a path, or takes it out.
  mutating func setMember(_ value: SyncValue, isPresent: Bool, _ object: ObjectName, _ path: LocalPath)

  /// Empties the set or map at a path.
  mutating func removeAll(_ object: ObjectName, _ path: LocalPath)

  /// Inserts into the list at a path.
  mutating func insert(_ values: [SyncValue], at index: Int, _ object: ObjectName, _ path: LocalPath)

  /// Removes from the list at a path.
  mutating func remove(at index: Int, _ object: ObjectName, _ path: LocalPath)

  /// Moves within the list at a path; the new position is counted without the element.
  mutating func move(from: Int, to: Int, _ object: ObjectName, _ path: LocalPath)
}

extension DeviceStore {
  public func objects(of className: SyncText, after: PrimaryKey?, through: PrimaryKey?) -> [ObjectName] {
    objects.filter { object in
      object.className == className && after.map { $0 < object.key } ?? true
        && through.map { object.key <= $0 } ?? true
    }
  }

  public func details(of object: ObjectName) -> [UInt8]? { nil }
}
