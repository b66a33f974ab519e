import Dispatch
import Larder
import LarderLocks
import Testing

#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
  import OpenCombineDispatch
#endif

#if canImport(Combine) || OpenCombine
  /// Every source of values and changes with every way to receive them. The answers are RealmSwift's: collections are sent at once and after
  /// each change, objects and projections after each change.
  @Suite("Every publisher with every operator") struct PublisherMatrixTests {
    private let worker = DispatchQueue(label: "worker")

    /// The ways to receive that the suite goes through.
    private enum Way: String, CaseIterable { case plain, subscribed, received, frozen, referenced }

    @Test("F-140, F-141: values of every source are sent as what they are, where they are asked for")
    func values() throws {
      try check("object", initial: false) { realm, way, note in
        Self.follow(valuePublisher(try PublisherFixture.sailor(realm, 0)), way, worker) { note("\(type(of: $0))", $0) }
      }
      try check("projection", initial: false) { realm, way, note in
        let card = SailorCard(projecting: try PublisherFixture.sailor(realm, 0))
        return Self.follow(valuePublisher(card), way, worker) { note("\(type(of: $0))", $0) }
      }
      try check("results", initial: true) { realm, way, note in
        Self.follow(realm.objects(Sailor.self).collectionPublisher, way, worker) { note("\($0.count)", $0) }
      }
      try check("any collection", initial: true) { realm, way, note in
        Self.follow(valuePublisher(AnyRealmCollection(realm.objects(Sailor.self))), way, worker) {
          note("\($0.count)", $0)
        }
      }
      try check("list", initial: true) { realm, way, note in
        let sailor = try PublisherFixture.sailor(realm, 0)
        return Self.follow(sailor.logs.collectionPublisher, way, worker) { note("\(type(of: $0))", $0) }
      }
      try check("set", initial: true) { realm, way, note in
        let sailor = try PublisherFixture.sailor(realm, 0)
        return Self.follow(sailor.tags.collectionPublisher, way, worker) { note("\(type(of: $0))", $0) }
      }
      try check("map", initial: true) { realm, way, note in
        let sailor = try PublisherFixture.sailor(realm, 0)
        return Self.follow(sailor.marks.collectionPublisher, way, worker) { note("\(type(of: $0))", $0) }
      }
      try check("linking objects", initial: true) { realm, way, note in
        let ship = try #require(realm.objects(Ship.self).first)
        return Self.follow(ship.crew.collectionPublisher, way, worker) { note("\($0.count)", $0) }
      }
      try check("sections", initial: true) { realm, way, note in
        let sections = realm.objects(Sailor.self).sectioned(by: \.ship?.name)
        return Self.follow(sections.collectionPublisher, way, worker) { note("\($0.count)", $0) }
      }
      try check("section", initial: true) { realm, way, note in
        let section = realm.objects(Sailor.self).sectioned(by: \.ship?.name)[0]
        return Self.follow(section.collectionPublisher, way, worker) { note("\(type(of: $0))", $0) }
      }
    }

    @Test("F-142, F-143: changes of objects and projections are sent as what they are, and a deletion is the end")
    func changes() throws {
      try check("object", initial: false, deletes: true) { realm, way, note in
        let publisher = changesetPublisher(try PublisherFixture.sailor(realm, 0))
        func take(_ change: ObjectChange<Sailor>) {
          if case .change(let sailor, _) = change { note("\(type(of: sailor))", sailor) } else { note("other", nil) }
        }
        return switch way {
        case .plain: Self.sunk(publisher, take, note)
        case .subscribed: Self.sunk(publisher.subscribe(on: worker), take, note)
        case .received: Self.sunk(publisher.receive(on: worker), take, note)
        case .frozen: Self.sunk(publisher.freeze().receive(on: worker), take, note)
        case .referenced: Self.sunk(publisher.threadSafeReference().receive(on: worker), take, note)
        }
      }
      try check("projection", initial: false, deletes: true) { realm, way, note in
        let publisher = changesetPublisher(SailorCard(projecting: try PublisherFixture.sailor(realm, 0)))
        func take(_ change: ObjectChange<SailorCard>) {
          if case .change(let card, _) = change { note("\(type(of: card))", card) } else { note("other", nil) }
        }
        return switch way {
        case .plain: Self.sunk(publisher, take, note)
        case .subscribed: Self.sunk(publisher.subscribe(on: worker), take, note)
        case .received: Self.sunk(publisher.receive(on: worker), take, note)
        case .frozen: Self.sunk(publisher.freeze().receive(on: worker), take, note)
        case .referenced: Self.sunk(publisher.threadSafeReference().receive(on: worker), take, note)
        }
      }
    }

    @Test("F-143: frozen and unmanaged values go through threadSafeReference() as they are")
    func passing() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      let loose = Sailor(value: ["name": "loose"])
      let looseList = List<Int>()
      looseList.append(objectsIn: [1, 2])
      try fixture.subscribe { realm, subscriptions in
        let all = realm.objects(Sailor.self)
        Just(all.freeze()).threadSafeReference().receive(on: worker)
          .note { journal.add("results \($0.isFrozen) \($0.count)") }.store(in: &subscriptions)
        #expect(journal.wait())
        Just(try PublisherFixture.sailor(realm, 0).freeze()).threadSafeReference().receive(on: worker)
          .note { journal.add("object \($0.isFrozen) \($0.name)") }.store(in: &subscriptions)
        #expect(journal.wait())
        Just(loose).threadSafeReference().receive(on: worker)
          .note { journal.add("unmanaged \($0.realm == nil) \($0.name)") }.store(in: &subscriptions)
        #expect(journal.wait())
        Just(looseList).threadSafeReference().receive(on: worker)
          .note { journal.add("list \(Array($0))") }.store(in: &subscriptions)
        #expect(journal.wait())
        Just(SailorCard(projecting: loose)).threadSafeReference().receive(on: worker)
          .note { journal.add("projection \($0.title)") }.store(in: &subscriptions)
        #expect(journal.wait())
        all.collectionPublisher.freeze().threadSafeReference().receive(on: worker)
          .note { journal.add("frozen before \($0.isFrozen) \($0.count)") }.store(in: &subscriptions)
      }
      #expect(journal.wait())
      #expect(
        journal.all == [
          "results true 3", "object true n0", "unmanaged true loose", "list [1, 2]", "projection loose",
          "frozen before true 3",
        ])
    }

    @Test("F-144: a projection is an observable object that sends before it changes")
    func projectionWillChange() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        let card = SailorCard(projecting: try PublisherFixture.sailor(realm, 0))
        func observable(_ object: some ObservableObject) { _ = object.objectWillChange }
        observable(card)
        card.objectWillChange.note { journal.add("before \(card.title)") }.store(in: &subscriptions)
        try realm.write { card.title = "x" }
        journal.add("after \(card.title)")
      }
      #expect(journal.all == ["before n0", "after x"])
    }

    // MARK: - How a case runs

    private typealias Note = (_ text: String, _ value: (any ThreadConfined)?) -> Void

    /// Subscribes in every way, changes the first sailor elsewhere, and compares the lines with what is expected.
    private func check(
      _ name: String, initial: Bool, deletes: Bool = false,
      _ subscribe: (Realm, Way, @escaping Note) throws -> AnyCancellable
    ) throws {
      for way in Way.allCases {
        let fixture = try PublisherFixture()
        let journal = fixture.journal
        try fixture.write { realm in
          try PublisherFixture.sailor(realm, 0).ship = realm.create(Ship.self, value: ["name": "Fram"])
        }
        let frozen = Lock<[Bool]>([])
        let (owner, worker) = (fixture.queue, worker)
        try fixture.subscribe { realm, subscriptions in
          try subscribe(realm, way) { text, value in
            let place = way == .plain ? owner : worker
            dispatchPrecondition(condition: .onQueue(place))
            if let value { frozen.withLock { $0.append(value.isFrozen) } }
            journal.add(text)
          }.store(in: &subscriptions)
        }
        if initial { #expect(journal.wait(), "\(name), \(way)") }
        try fixture.elsewhere { realm in
          let sailor = try PublisherFixture.sailor(realm, 0)
          sailor.name = "changed"
          sailor.logs.append(LogEntry(value: ["text": "a"]))
          sailor.tags.insert("a")
          sailor.marks["a"] = 1
        }
        #expect(journal.wait(), "\(name), \(way)")
        #expect(journal.all.count == (initial ? 2 : 1), "\(name), \(way)")
        #expect(Set(journal.all).count == 1, "\(name), \(way): \(journal.all)")
        #expect(journal.all.first?.hasPrefix("Projection<") == false, "\(name), \(way): \(journal.all)")
        #expect(frozen.withLock { $0.allSatisfy { $0 == (way == .frozen) } }, "\(name), \(way)")
        if deletes {
          try fixture.elsewhere { $0.delete(try PublisherFixture.sailor($0, 0)) }
          #expect(journal.wait() && journal.all.last == "end" && journal.all.count == 2, "\(name), \(way)")
        }
        fixture.cancelAll()
      }
    }

    private static func follow<Source>(
      _ publisher: RealmPublishers.Value<Source>, _ way: Way, _ worker: DispatchQueue,
      _ note: @escaping (Source) -> Void
    ) -> AnyCancellable {
      switch way {
      case .plain: publisher.note(note)
      case .subscribed: publisher.subscribe(on: worker).note(note)
      case .received: publisher.receive(on: worker).note(note)
      case .frozen: publisher.freeze().receive(on: worker).note(note)
      case .referenced: publisher.threadSafeReference().receive(on: worker).note(note)
      }
    }

    private static func sunk<P: Publisher>(
      _ publisher: P, _ take: @escaping (P.Output) -> Void, _ note: @escaping Note
    ) -> AnyCancellable {
      publisher.sink { _ in
        note("end", nil)
      } receiveValue: {
        take($0)
      }
    }
  }
#endif
