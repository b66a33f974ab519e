#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  /// Sends an object after each change of it, or of some of its properties, and ends when it is deleted.
  ///
  /// Misuse on subscription for an unmanaged, deleted or frozen object. Sent where the object's Realm is used.
  public func valuePublisher<T: Object>(_ object: T, keyPaths: [String]? = nil) -> RealmPublishers.Value<T> {
    RealmPublishers.Value(subscribable: object, keyPaths: keyPaths)
  }

  /// Sends a collection at once and after each change of it, or of some properties of its elements.
  public func valuePublisher<T: RealmCollection & RealmSubscribable>(
    _ collection: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.Value<T> {
    RealmPublishers.Value(subscribable: collection, keyPaths: keyPaths)
  }

  /// Sends a projection after each change of what it shows, and ends when its object is deleted.
  public func valuePublisher<T: ProjectionObservable & RealmSubscribable>(
    _ projection: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.Value<T> {
    RealmPublishers.Value(subscribable: projection, keyPaths: keyPaths)
  }

  /// Sends the changes of an object's properties, or of some of them, and ends when it is deleted.
  public func changesetPublisher<T: Object>(
    _ object: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.ObjectChangeset<T> {
    RealmPublishers.ObjectChangeset(
      observe: { object.observe(keyPaths: $0, on: $1, $2) }, keyPaths: keyPaths)
  }

  /// Sends the changes of what a projection shows, and ends when its object is deleted.
  public func changesetPublisher<T: ProjectionObservable>(
    _ projection: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.ObjectChangeset<T> {
    RealmPublishers.ObjectChangeset(
      observe: { projection.observe(keyPaths: $0, on: $1, $2) }, keyPaths: keyPaths)
  }

  /// Sends what an observer of a collection is notified of: how it is, then each change.
  public func changesetPublisher<T: RealmCollection>(
    _ collection: T, keyPaths: [String]? = nil
  ) -> RealmPublishers.CollectionChangeset<T> {
    RealmPublishers.CollectionChangeset(collection: collection, keyPaths: keyPaths)
  }
#endif
