import Dispatch

#if canImport(Combine) || OpenCombine
  /// A subject that publishers can observe: an object, a collection, sections or a projection.
  public protocol RealmSubscribable {
    /// For publishers: calls the block with this after each change, with a collection at once as well, and with nil when an object is deleted.
    func _observeValue(
      _ keyPaths: [String]?, _ queue: DispatchQueue?, _ block: @escaping (Any?) -> Void
    ) -> NotificationToken
    /// For publishers: calls the block before changes.
    func _observeWillChange(_ block: @escaping () -> Void) -> NotificationToken
  }

  extension RealmCollection where Self: RealmSubscribable {
    public func _observeValue(
      _ keyPaths: [String]?, _ queue: DispatchQueue?, _ block: @escaping (Any?) -> Void
    ) -> NotificationToken {
      observe(keyPaths: keyPaths, on: queue) { change in
        switch change {
        case .initial(let collection), .update(let collection, _, _, _): block(collection)
        case .error: break
        }
      }
    }
  }

  extension RealmSectionedResult where Self: RealmSubscribable {
    public func _observeValue(
      _ keyPaths: [String]?, _ queue: DispatchQueue?, _ block: @escaping (Any?) -> Void
    ) -> NotificationToken {
      observe(keyPaths: keyPaths, on: queue) { change in
        switch change {
        case .initial(let collection), .update(let collection, _, _, _, _, _): block(collection)
        }
      }
    }
  }

  extension ObjectBase: RealmSubscribable {
    public func _observeValue(
      _ keyPaths: [String]?, _ queue: DispatchQueue?, _ block: @escaping (Any?) -> Void
    ) -> NotificationToken {
      ObjectObservation.observe(self, keyPaths, queue) { (news: ObjectNews<ObjectBase>) in
        switch news.change {
        case .change(let object, _): block(object)
        case .deleted: block(nil)
        case .error: break
        }
      }
    }

    public func _observeWillChange(_ block: @escaping () -> Void) -> NotificationToken {
      let cursor = ObjectObservation.observable(self)
      return cursor.host.announce(cursor.announced(_objectKey), block)
    }
  }

  extension Projection: RealmSubscribable {
    public func _observeValue(
      _ keyPaths: [String]?, _ queue: DispatchQueue?, _ block: @escaping (Any?) -> Void
    ) -> NotificationToken {
      let (wanted, told) = translation(keyPaths)
      return ObjectObservation.observe(rootObject, wanted, queue) { (news: ObjectNews<Root>) in
        switch told(news) {
        case .change(let projection, _): block(projection)
        case .deleted: block(nil)
        case .error, nil: break
        }
      }
    }

    public func _observeWillChange(_ block: @escaping () -> Void) -> NotificationToken {
      let cursor = ObjectObservation.observable(rootObject)
      // Paths over links show properties of other objects.
      return cursor.host.announce(cursor.announced, block)
    }
  }

  extension List: RealmSubscribable {
    public func _observeWillChange(_ block: @escaping () -> Void) -> NotificationToken {
      CollectionObservation.observable(location, "An unmanaged list").announce(block)
    }
  }

  extension MutableSet: RealmSubscribable {
    public func _observeWillChange(_ block: @escaping () -> Void) -> NotificationToken {
      CollectionObservation.observable(location, "An unmanaged set").announce(block)
    }
  }

  extension Map: RealmSubscribable {
    public func _observeValue(
      _ keyPaths: [String]?, _ queue: DispatchQueue?, _ block: @escaping (Any?) -> Void
    ) -> NotificationToken {
      observe(keyPaths: keyPaths, on: queue) { change in
        switch change {
        case .initial(let map), .update(let map, _, _, _): block(map)
        case .error: break
        }
      }
    }

    public func _observeWillChange(_ block: @escaping () -> Void) -> NotificationToken {
      CollectionObservation.observable(location, "An unmanaged map").announce(block)
    }
  }

  extension Results: RealmSubscribable {
    public func _observeWillChange(_ block: @escaping () -> Void) -> NotificationToken { state.announce(block) }
  }

  extension LinkingObjects: RealmSubscribable {
    public func _observeWillChange(_ block: @escaping () -> Void) -> NotificationToken {
      makeState("observed").announce(block)
    }
  }

  extension AnyRealmCollection: RealmSubscribable {
    public func _observeWillChange(_ block: @escaping () -> Void) -> NotificationToken {
      makeState("observed").announce(block)
    }
  }

  extension SectionedResults: RealmSubscribable {
    public func _observeWillChange(_ block: @escaping () -> Void) -> NotificationToken {
      state.source.state.announce(block)
    }
  }

  extension ResultsSection: RealmSubscribable {
    public func _observeWillChange(_ block: @escaping () -> Void) -> NotificationToken {
      state.source.state.announce(block)
    }
  }
#endif
