/// The choice whether changes of a class's objects go to other devices (L-23).
public enum ClassSyncMode: UInt8, Hashable, Sendable {
  /// They stay in this store. So are all classes unless a program says otherwise.
  case local = 0
  /// Each change is kept as an operation until it was uploaded.
  case synced = 1
  /// Objects are uploaded and then deleted here.
  case asymmetric = 2
}

/// The way in which changes that several devices make to one property become one value (L-23).
public enum PropertyMergeKind: UInt8, Hashable, Sendable {
  /// Merges as the type does: the last value that was set, collections by element.
  case `default` = 0
  /// Adds up what was added on each device.
  case counter = 1
}
