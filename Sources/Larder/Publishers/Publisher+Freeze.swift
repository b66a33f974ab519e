#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  extension Publisher {
    /// Freezes what is sent: it never changes, and may be received anywhere.
    public func freeze<T>() -> Publishers.Map<Self, T> where Output: ThreadConfined, T == Output {
      map { $0.freeze() }
    }

    /// Freezes the object of each change, and the objects among the values.
    public func freeze<T: Object>() -> Publishers.Map<Self, ObjectChange<T>> where Output == ObjectChange<T> {
      map { $0.frozen() }
    }

    /// Freezes the projection of each change, and the objects among the values.
    public func freeze<T: ProjectionObservable>() -> Publishers.Map<Self, ObjectChange<T>>
    where Output == ObjectChange<T> {
      map { $0.frozen() }
    }

    /// Freezes the collection of each change.
    public func freeze<T: RealmCollection>() -> Publishers.Map<Self, RealmCollectionChange<T>>
    where Output == RealmCollectionChange<T> {
      map { change in
        switch change {
        case .initial(let collection): .initial(collection.freeze())
        case .update(let collection, let deletions, let insertions, let modifications):
          .update(collection.freeze(), deletions: deletions, insertions: insertions, modifications: modifications)
        case .error: change
        }
      }
    }

    /// Freezes the map of each change.
    public func freeze<T: RealmKeyedCollection>() -> Publishers.Map<Self, RealmMapChange<T>>
    where Output == RealmMapChange<T> {
      map { change in
        switch change {
        case .initial(let map): .initial(map.freeze())
        case .update(let map, let deletions, let insertions, let modifications):
          .update(map.freeze(), deletions: deletions, insertions: insertions, modifications: modifications)
        case .error: change
        }
      }
    }

    /// Freezes the sections of each change.
    public func freeze<T: RealmSectionedResult>() -> Publishers.Map<Self, SectionedResultsChange<T>>
    where Output == SectionedResultsChange<T> {
      map { change in
        switch change {
        case .initial(let sections): .initial(sections.freeze())
        case .update(let sections, let deletions, let insertions, let modifications, let inserted, let deleted):
          .update(
            sections.freeze(), deletions: deletions, insertions: insertions, modifications: modifications,
            sectionsToInsert: inserted, sectionsToDelete: deleted)
        }
      }
    }
  }

  extension ObjectChange where T: ThreadConfined {
    fileprivate func frozen() -> ObjectChange {
      guard case .change(let object, let properties) = self else { return self }
      return .change(
        object.freeze(),
        properties.map {
          PropertyChange(name: $0.name, oldValue: Self.frozen($0.oldValue), newValue: Self.frozen($0.newValue))
        })
    }

    private static func frozen(_ value: Any?) -> Any? {
      guard let confined = value as? any ThreadConfined, confined.realm != nil, !confined.isInvalidated else {
        return value
      }
      return confined.freeze()
    }
  }
#endif
