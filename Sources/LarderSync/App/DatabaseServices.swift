// The database and the events of App Services, declared so that the compiler says what takes their place.

/// Unavailable: programs do not speak with the server's database.
@available(*, unavailable, message: "Subscribe to the objects, or call an endpoint of your own server")
public struct MongoClient: Sendable {}

/// Unavailable: programs do not speak with the server's database.
@available(*, unavailable, message: "Subscribe to the objects, or call an endpoint of your own server")
public struct MongoDatabase: Sendable {}

/// Unavailable: programs do not speak with the server's database.
@available(*, unavailable, message: "Subscribe to the objects of a class, and query them with realm.objects(_:)")
public struct MongoCollection: Sendable {}

/// Unavailable: programs do not speak with the server's database.
@available(*, unavailable, message: "Use filters and sorts of Results")
public struct FindOptions: Sendable {}

/// Unavailable: programs do not speak with the server's database.
@available(*, unavailable, message: "Change objects in a write transaction")
public struct FindOneAndModifyOptions: Sendable {}

/// Unavailable: programs do not speak with the server's database.
@available(*, unavailable, message: "Change objects in a write transaction")
public struct UpdateResult: Sendable {}

/// Unavailable: programs do not speak with the server's database.
@available(*, unavailable, message: "Observe Results: observe(_:), or for await change in results.changes")
public struct ChangeStream: Sendable {}

/// Unavailable: programs do not speak with the server's database.
@available(*, unavailable, message: "Observe Results: observe(_:), or for await change in results.changes")
public protocol ChangeEventDelegate: AnyObject {}

/// Unavailable: there are no documents of BSON.
@available(*, unavailable, message: "Use AnyRealmValue")
public enum AnyBSON: Sendable {}

/// Unavailable: there are no documents of BSON.
@available(*, unavailable, message: "Use [String: AnyRealmValue]")
public struct Document: Sendable {}

/// Unavailable: there are no partitions.
@available(*, unavailable, message: "Use flexibleSyncConfiguration, and subscribe to what the program needs")
public protocol PartitionValue {}

/// Unavailable: nothing records events.
@available(
  *, unavailable, message: "Make objects of an AsymmetricObject class of your own: they are sent and leave the device"
)
public struct Events: Sendable {}

/// Unavailable: nothing records events.
@available(
  *, unavailable, message: "Make objects of an AsymmetricObject class of your own: they are sent and leave the device"
)
public struct EventConfiguration: Sendable {
  /// A configuration, which nothing takes.
  public init() {}
}

/// Unavailable: nothing records events.
@available(
  *, unavailable, message: "Make objects of an AsymmetricObject class of your own: they are sent and leave the device"
)
public protocol CustomEventRepresentable {}

extension Realm {
  /// Unavailable: nothing records events.
  @available(
    *, unavailable, message: "Make objects of an AsymmetricObject class of your own: they are sent and leave the device"
  )
  public var events: Events? { nil }
}

extension Realm.Configuration {
  /// Unavailable: nothing records events.
  @available(
    *, unavailable, message: "Make objects of an AsymmetricObject class of your own: they are sent and leave the device"
  )
  public var eventConfiguration: EventConfiguration? {
    get { nil }
    set {}
  }
}
