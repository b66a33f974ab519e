#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  extension Realm {
    /// Sends before the Realm changes: before the first change of a write transaction, and before the Realm moves to a newer version.
    public var objectWillChange: RealmPublishers.RealmWillChange { RealmPublishers.RealmWillChange(realm: self) }
  }

  extension Object: ObservableObject {
    /// Sends before a change of the object can be seen.
    public var objectWillChange: RealmPublishers.WillChange<Object> { RealmPublishers.WillChange(collection: self) }
  }

  extension EmbeddedObject: ObservableObject {
    /// Sends before a change of the object can be seen.
    public var objectWillChange: RealmPublishers.WillChange<EmbeddedObject> {
      RealmPublishers.WillChange(collection: self)
    }
  }

  extension List: ObservableObject {
    /// Sends before a change of the list, or of what it leads to, can be seen.
    public var objectWillChange: RealmPublishers.WillChange<List> { RealmPublishers.WillChange(collection: self) }
  }

  extension MutableSet: ObservableObject {
    /// Sends before a change of the set, or of what it leads to, can be seen.
    public var objectWillChange: RealmPublishers.WillChange<MutableSet> { RealmPublishers.WillChange(collection: self) }
  }

  extension Map: ObservableObject {
    /// Sends before a change of the map, or of what it leads to, can be seen.
    public var objectWillChange: RealmPublishers.WillChange<Map> { RealmPublishers.WillChange(collection: self) }
  }

  extension Projection: ObservableObject {
    /// Sends before a change of what the projection shows can be seen.
    public var objectWillChange: RealmPublishers.WillChange<Projection> { RealmPublishers.WillChange(collection: self) }
  }

  extension LinkingObjects {
    /// Sends before a change of the objects that link here can be seen.
    public var objectWillChange: RealmPublishers.WillChange<LinkingObjects> {
      RealmPublishers.WillChange(collection: self)
    }
  }

  extension Results {
    /// Sends before a change of the classes that the results are read from can be seen.
    public var objectWillChange: RealmPublishers.WillChange<Results> { RealmPublishers.WillChange(collection: self) }
  }
#endif
