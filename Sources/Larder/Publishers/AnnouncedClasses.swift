import LarderObservation
import LarderStorage

#if canImport(Combine) || OpenCombine
  extension CollectionLocation {
    /// Has a block called before changes of the collection.
    func announce(_ block: @escaping () -> Void) -> NotificationToken {
      guard cursor.model.properties[index].type != .any, let classes = target.map({ $0.reachedClasses }) ?? [] else {
        return host.announce(.everything, block)
      }
      var subject = cursor.announced(key)
      subject.column = column
      subject.classes = classes
      return host.announce(subject, block)
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
        return host.announce(AnnouncedSubject(classes: classes.union(ObservedResults(query).classes)), block)
      }
    }
  }

  extension _ClassCursor {
    /// An object of this class and all that it leads to.
    var announced: AnnouncedSubject { reachedClasses.map { AnnouncedSubject(classes: $0) } ?? .everything }

    /// An object of this class.
    func announced(_ key: ObjectKey) -> AnnouncedSubject {
      AnnouncedSubject(
        object: ObjectLink(classID: classID, key: key),
        mayLoseValues: model.isEmbedded || model.properties.contains { $0.isObject || $0.type == .any },
        owners: model.isEmbedded ? owners : [:])
    }

    /// The columns that hold embedded objects of this class, or what these belong to.
    private var owners: [ClassID: Set<ColumnID>] {
      var found: [ClassID: Set<ColumnID>] = [:]
      var owned = [classID]
      while let next = owned.popLast() {
        for cursor in host.models.map({ host.cursor(of: $0) }) {
          for property in cursor.model.properties where property.isEmbedded {
            guard cursor.target(property.index)?.classID == next else { continue }
            let isNew = found[cursor.classID, default: []].insert(cursor.columns[property.index]).inserted
            if isNew, cursor.model.isEmbedded { owned.append(cursor.classID) }
          }
        }
      }
      return found
    }

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
