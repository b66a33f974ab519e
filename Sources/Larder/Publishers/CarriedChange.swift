import Dispatch

#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
#endif

#if canImport(Combine) || OpenCombine
  /// A change on its way to another place.
  struct CarriedChange<Change> {
    /// The change with counterparts of the place the caller is in; nil when what changed is deleted.
    let take: (DispatchQueue?) -> Change?

    private init(take: @escaping (DispatchQueue?) -> Change?) { self.take = take }

    private static func of<T: ThreadConfined>(_ confined: T, _ make: @escaping (T) -> Change) -> CarriedChange? {
      guard let carried = Carried(confined) else { return nil }
      return CarriedChange { carried.take($0).map(make) }
    }
  }

  extension CarriedChange {
    init?<T: ThreadConfined>(_ change: ObjectChange<T>) where Change == ObjectChange<T> {
      switch change {
      case .change(let object, let properties):
        guard let carried = Carried(object) else { return nil }
        let values = properties.map { (name: $0.name, old: CarriedValue($0.oldValue), new: CarriedValue($0.newValue)) }
        self.init { queue in
          carried.take(queue).map { object in
            .change(
              object,
              values.map { PropertyChange(name: $0.name, oldValue: $0.old.take(queue), newValue: $0.new.take(queue)) })
          }
        }
      case .deleted: self.init { _ in .deleted }
      case .error(let error): self.init { _ in .error(error) }
      }
    }

    init?<T: RealmCollection>(_ change: RealmCollectionChange<T>) where Change == RealmCollectionChange<T> {
      let carried: CarriedChange?
      switch change {
      case .initial(let collection): carried = .of(collection) { .initial($0) }
      case .update(let collection, let deletions, let insertions, let modifications):
        carried = .of(collection) {
          .update($0, deletions: deletions, insertions: insertions, modifications: modifications)
        }
      case .error(let error): carried = CarriedChange { _ in .error(error) }
      }
      guard let carried else { return nil }
      self = carried
    }

    init?<T: RealmKeyedCollection>(_ change: RealmMapChange<T>) where Change == RealmMapChange<T> {
      let carried: CarriedChange?
      switch change {
      case .initial(let map): carried = .of(map) { .initial($0) }
      case .update(let map, let deletions, let insertions, let modifications):
        carried = .of(map) { .update($0, deletions: deletions, insertions: insertions, modifications: modifications) }
      case .error(let error): carried = CarriedChange { _ in .error(error) }
      }
      guard let carried else { return nil }
      self = carried
    }

    init?<T: RealmSectionedResult>(_ change: SectionedResultsChange<T>) where Change == SectionedResultsChange<T> {
      let carried: CarriedChange?
      switch change {
      case .initial(let sections): carried = .of(sections) { .initial($0) }
      case .update(let sections, let deletions, let insertions, let modifications, let inserted, let deleted):
        carried = .of(sections) {
          .update(
            $0, deletions: deletions, insertions: insertions, modifications: modifications, sectionsToInsert: inserted,
            sectionsToDelete: deleted)
        }
      }
      guard let carried else { return nil }
      self = carried
    }
  }

  /// A property's value on its way to another place: an object becomes its counterpart, or nil when it is deleted.
  private struct CarriedValue {
    let take: (DispatchQueue?) -> Any?

    init(_ value: Any?) {
      if let confined = value as? any ThreadConfined, confined.realm != nil {
        take = Self.carrying(confined)
      } else {
        take = { _ in value }
      }
    }

    private static func carrying(_ value: some ThreadConfined) -> (DispatchQueue?) -> Any? {
      let carried = Carried(value)
      return { carried?.take($0) }
    }
  }
#endif
