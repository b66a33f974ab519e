/// One step of a way in a store: to an embedded object's property, to a position in a list, or to a key of a map.
public enum LocalStep: Hashable, Sendable {
  /// A property of an embedded object.
  case property(SyncText)
  /// A position in a list.
  case index(Int)
  /// A key of a map.
  case key(SyncText)
}

/// The way to a slot of an object in a store, by positions and keys.
public struct LocalPath: Hashable, Sendable {
  /// The property of the object.
  public var property: SyncText
  /// The steps from the property's value on.
  public var steps: [LocalStep]

  /// The way to a property, or from there on.
  public init(_ property: SyncText, _ steps: [LocalStep] = []) {
    self.property = property
    self.steps = steps
  }

  func appending(_ step: LocalStep) -> LocalPath { LocalPath(property, steps + [step]) }
}

/// A change of one object as the log of a store records it: lists by positions. Names within values are not read; `Device` gives them.
public enum LocalChange: Hashable, Sendable {
  /// The object was created, or its properties assigned where it was there.
  case create([CreatedProperty])
  /// The object was deleted.
  case delete
  /// A slot was assigned.
  case set(LocalPath, SyncValue)
  /// A number was added to.
  case add(LocalPath, SyncDelta)
  /// A value came into a set.
  case setInsert(LocalPath, SyncValue)
  /// A value went from a set.
  case setRemove(LocalPath, SyncValue)
  /// A set was emptied.
  case setClear(LocalPath)
  /// A key of a map was assigned.
  case mapPut(LocalPath, SyncText, SyncValue)
  /// A key went from a map.
  case mapRemove(LocalPath, SyncText)
  /// A map was emptied.
  case mapClear(LocalPath)
  /// Elements were inserted before a position of a list that had so many elements.
  case listInsert(LocalPath, at: Int, [SyncValue], sizeBefore: Int)
  /// Elements from a position on were removed.
  case listRemove(LocalPath, at: Int, count: Int, sizeBefore: Int)
  /// An element was taken from one position and put to another one, counted without it.
  case listMove(LocalPath, from: Int, to: Int, sizeBefore: Int)
  /// A list was emptied.
  case listClear(LocalPath, sizeBefore: Int)
}

/// A change with its object.
public struct LocalEdit: Hashable, Sendable {
  /// The object.
  public var object: ObjectName
  /// The change of the object.
  public var change: LocalChange

  /// A change of an object.
  public init(_ object: ObjectName, _ change: LocalChange) {
    self.object = object
    self.change = change
  }
}

/// One transaction of a store, to be uploaded.
public struct LocalCommit: Hashable, Sendable {
  /// Its hybrid time.
  public var time: SyncTime
  /// A random number.
  public var nonce: UInt64
  /// Its changes in order.
  public var edits: [LocalEdit]

  /// A transaction.
  public init(time: SyncTime, nonce: UInt64, edits: [LocalEdit]) {
    self.time = time
    self.nonce = nonce
    self.edits = edits
  }
}

/// The reason why a device cannot go on and has to get everything again.
public enum DeviceError: Error, Equatable {
  /// The log of the store says that a list had another number of elements than the device knows of: a record is missing.
  case listSize(ObjectName, LocalPath, logged: Int, known: Int)
  /// The log of the store names something that the device does not know.
  case unknownPath(ObjectName, LocalPath)
}
