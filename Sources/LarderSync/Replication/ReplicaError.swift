import LarderSyncProtocol

/// The reason why the server's content cannot be written into the store, or logged changes of the store cannot be sent.
package enum ReplicaError: Error, Hashable, Sendable {
  /// A value is not of the type that the store's schema gives the property.
  case type(className: String, property: String, value: String)
  /// There is no such place in an object.
  case place(ObjectName, LocalPath)
  /// An operation of the store's log is of an object that has no primary key.
  case nameless(className: String)
}
