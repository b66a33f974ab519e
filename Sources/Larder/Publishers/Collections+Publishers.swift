#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  extension RealmCollection where Self: RealmSubscribable {
    /// Sends before a change of it can be seen.
    public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(collection: self) }

    /// The same as `collectionPublisher`.
    public var publisher: RealmPublishers.Value<Self> { collectionPublisher }

    /// Sends this at once and after each change.
    public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

    /// Sends this at once and after each change of some properties of the elements, or of which there are.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
      RealmPublishers.Value(subscribable: self, keyPaths: keyPaths)
    }

    /// Sends what an observer is notified of: how it is, then each change.
    public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> { changesetPublisher(keyPaths: nil) }

    /// The same, with modifications of some properties only.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.CollectionChangeset<Self> {
      RealmPublishers.CollectionChangeset(collection: self, keyPaths: keyPaths)
    }
  }

  extension RealmKeyedCollection where Self: RealmSubscribable {
    /// Sends before a change of it can be seen.
    public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(collection: self) }

    /// The same as `collectionPublisher`.
    public var publisher: RealmPublishers.Value<Self> { collectionPublisher }

    /// Sends this at once and after each change.
    public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

    /// Sends this at once and after each change of some properties of the elements, or of which there are.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
      RealmPublishers.Value(subscribable: self, keyPaths: keyPaths)
    }

    /// Sends what an observer is notified of: how it is, then each change.
    public var changesetPublisher: RealmPublishers.MapChangeset<Self> { changesetPublisher(keyPaths: nil) }

    /// The same, with modifications of some properties only.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.MapChangeset<Self> {
      RealmPublishers.MapChangeset(collection: self, keyPaths: keyPaths)
    }
  }

  extension SectionedResults {
    /// Sends before a change of it can be seen.
    public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(collection: self) }

    /// Sends this at once and after each change.
    public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

    /// Sends this at once and after each change of some properties of the elements, or of which there are.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
      RealmPublishers.Value(subscribable: self, keyPaths: keyPaths)
    }

    /// Sends what an observer is notified of: how it is, then each change.
    public var changesetPublisher: RealmPublishers.SectionedResultsChangeset<Self> { changesetPublisher(keyPaths: nil) }

    /// The same, with modifications of some properties only.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.SectionedResultsChangeset<Self> {
      RealmPublishers.SectionedResultsChangeset(collection: self, keyPaths: keyPaths)
    }
  }

  extension ResultsSection {
    /// Sends before a change of it can be seen.
    public var objectWillChange: RealmPublishers.WillChange<Self> { RealmPublishers.WillChange(collection: self) }

    /// Sends this at once and after each change.
    public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

    /// Sends this at once and after each change of some properties of the elements, or of which there are.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
      RealmPublishers.Value(subscribable: self, keyPaths: keyPaths)
    }

    /// Sends what an observer is notified of: how it is, then each change.
    public var changesetPublisher: RealmPublishers.SectionChangeset<Self> { changesetPublisher(keyPaths: nil) }

    /// The same, with modifications of some properties only.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.SectionChangeset<Self> {
      RealmPublishers.SectionChangeset(collection: self, keyPaths: keyPaths)
    }
  }
#endif
