import LarderObservation
import LarderStorage

#if canImport(Combine) || OpenCombine
  extension CollectionLocation {
    /// Has a block called before changes of the collection.
    func announce(_ block: @escaping () -> Void) -> NotificationToken {
      let link = ObjectLink(classID: cursor.classID, key: key)
      guard cursor.model.properties[index].type != .any, let classes = target.map({ $0.reachedClasses }) ?? [] else {
        return host.announce(.everything, block)
      }
      return host.announce(.collection(link, column, classes), block)
    }
  }

  extension ResultsState {
    /// Has a block called before changes of a class that the results are read from.
    func announce(_ block: @escaping () -> Void) -> NotificationToken {
      checkObservable()
      switch source {
      case .values(let list, _, _): return list.announce(block)
      case .objects(let query, let cursor):
        guard let classes = cursor.reachedClasses else { return host.announce(.everything, block) }
        return host.announce(.classes(classes.union(ObservedResults(query).classes)), block)
      }
    }
  }

  extension _ClassCursor {
    /// What shows a change of an object of this class, or of what it leads to.
    var announced: AnnouncedSubject { reachedClasses.map { .classes($0) } ?? .everything }

    /// The class and those within three links, as observers of collections hear of them (N-15); nil when a value of any type may lead anywhere.
    fileprivate var reachedClasses: Set<ClassID>? {
      var found: Set<ClassID> = [classID]
      var edge = [self]
      for _ in 0..<3 {
        var next: [_ClassCursor] = []
        for cursor in edge {
          if cursor.model.properties.contains(where: { $0.type == .any }) { return nil }
          for property in cursor.model.properties where property.isObject {
            if let target = cursor.target(property.index), found.insert(target.classID).inserted { next.append(target) }
          }
        }
        edge = next
      }
      return found
    }
  }
#endif
