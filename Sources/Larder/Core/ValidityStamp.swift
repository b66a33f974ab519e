/// The moment at which an accessor of an object, a collection or results was made: whether it may still be used follows from this alone.
struct ValidityStamp: Equatable {
  /// Changes when the Realm is invalidated.
  var epoch: UInt32 = 0
  /// Number of the write transaction that the accessor was made in; 0 outside of one.
  var write: UInt32 = 0
}

/// The period in which bytes that were read may be looked at.
struct ReadingStamp: Equatable {
  /// Differs whenever contents that were read before may have changed.
  var contents: UInt64
  /// Differs whenever a query in a transaction had changes written out, which moves what is beside them.
  var written: UInt64
}
