#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  extension Publisher where Output: ThreadConfined {
    /// Lets `receive(on:)` hand over what is sent: each value becomes its counterpart in a Realm of the place where it is received, and is
    /// left out when that is deleted by then.
    ///
    /// To be called right before `receive(on:)`, where what is sent lives.
    public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> {
      RealmPublishers.MakeThreadSafe(upstream: self)
    }
  }

  extension Publisher {
    /// Lets `receive(on:)` hand over changes of an object.
    public func threadSafeReference<T: Object>() -> RealmPublishers.MakeThreadSafeObjectChangeset<Self, T>
    where Output == ObjectChange<T> {
      RealmPublishers.MakeThreadSafeObjectChangeset(upstream: self)
    }

    /// Lets `receive(on:)` hand over changes of a projection.
    public func threadSafeReference<T: ProjectionObservable>() -> RealmPublishers.MakeThreadSafeObjectChangeset<Self, T>
    where Output == ObjectChange<T> {
      RealmPublishers.MakeThreadSafeObjectChangeset(upstream: self)
    }

    /// Lets `receive(on:)` hand over changes of a collection.
    public func threadSafeReference<T: RealmCollection>() -> RealmPublishers.MakeThreadSafeCollectionChangeset<Self, T>
    where Output == RealmCollectionChange<T> {
      RealmPublishers.MakeThreadSafeCollectionChangeset(upstream: self)
    }

    /// Lets `receive(on:)` hand over changes of a map.
    public func threadSafeReference<T: RealmKeyedCollection>()
      -> RealmPublishers.MakeThreadSafeKeyedCollectionChangeset<Self, T> where Output == RealmMapChange<T>
    {
      RealmPublishers.MakeThreadSafeKeyedCollectionChangeset(upstream: self)
    }

    /// Lets `receive(on:)` hand over changes of sections.
    public func threadSafeReference<T: RealmSectionedResult>()
      -> RealmPublishers.MakeThreadSafeSectionedResultsChangeset<Self, T> where Output == SectionedResultsChange<T>
    {
      RealmPublishers.MakeThreadSafeSectionedResultsChangeset(upstream: self)
    }
  }
#endif
