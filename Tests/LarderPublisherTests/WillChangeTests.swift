import Dispatch
import Larder
import LarderLocks
import TestSupport
import Testing

#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
  import OpenCombineDispatch
#endif

#if canImport(Combine) || OpenCombine
  @Suite("objectWillChange") struct WillChangeTests {
    @Test(
      "sends at the first change of a write transaction, once, while the old value can be read; not for other objects")
    func localWrites() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        let sailor = try PublisherFixture.sailor(realm, 0)
        sailor.objectWillChange.note { journal.add("\(sailor.age)") }.store(in: &subscriptions)
      }
      try fixture.write { realm in
        try PublisherFixture.sailor(realm, 1).age = 1
        realm.create(Sailor.self, value: ["id": 9])
        #expect(journal.all.isEmpty)
        try PublisherFixture.sailor(realm, 0).age = 5
        #expect(journal.all == ["0"])
        try PublisherFixture.sailor(realm, 0).age = 6
      }
      try fixture.write { try PublisherFixture.sailor($0, 0).tags.insert("a") }
      #expect(journal.all == ["0", "6"])
      try fixture.write { $0.delete(try PublisherFixture.sailor($0, 0)) }
      #expect(journal.all == ["0", "6", "6"])
    }

    @Test("sends before a refresh that brings a change of the thing, and not before another one")
    func refreshes() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        realm.autorefresh = false
        let sailor = try PublisherFixture.sailor(realm, 0)
        sailor.objectWillChange.note { journal.add("\(sailor.age)") }.store(in: &subscriptions)
      }
      try fixture.elsewhere { try PublisherFixture.sailor($0, 1).age = 5 }
      try fixture.here { $0.refresh() }
      #expect(journal.all.isEmpty)
      try fixture.elsewhere { try PublisherFixture.sailor($0, 0).age = 5 }
      try fixture.here { realm in
        let sailor = try PublisherFixture.sailor(realm, 0)
        realm.refresh()
        #expect(sailor.age == 5)
      }
      #expect(journal.all == ["0"])
    }

    @Test("sends as well when a Realm moves on by itself")
    func autorefresh() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        let all = realm.objects(Sailor.self)
        all.objectWillChange.note { journal.add("\(all.count)") }.store(in: &subscriptions)
      }
      try fixture.elsewhere { $0.create(Sailor.self, value: ["id": 9]) }
      #expect(journal.wait() && journal.all == ["3"])
    }

    @Test("sends for lists, sets, maps, inverse links, embedded objects, sections and the Realm")
    func kinds() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.write { realm in
        try PublisherFixture.sailor(realm, 0).ship = realm.create(Ship.self, value: ["name": "Fram"])
        try PublisherFixture.sailor(realm, 0).logs.append(LogEntry())
      }
      try fixture.subscribe { realm, subscriptions in
        let sailor = try PublisherFixture.sailor(realm, 0)
        let ship = try #require(sailor.ship)
        sailor.logs.objectWillChange.note { journal.add("list") }.store(in: &subscriptions)
        sailor.tags.objectWillChange.note { journal.add("set") }.store(in: &subscriptions)
        sailor.marks.objectWillChange.note { journal.add("map") }.store(in: &subscriptions)
        sailor.logs[0].objectWillChange.note { journal.add("embedded") }.store(in: &subscriptions)
        ship.crew.objectWillChange.note { journal.add("inverse") }.store(in: &subscriptions)
        realm.objects(Ship.self).sectioned(by: \.name).objectWillChange.note { journal.add("sections") }
          .store(in: &subscriptions)
        realm.objectWillChange.note { journal.add("realm") }.store(in: &subscriptions)
      }
      func sent(_ body: (Sailor) throws -> Void) throws -> [String] {
        let before = journal.all.count
        try fixture.write { try body(try PublisherFixture.sailor($0, 0)) }
        return journal.all.dropFirst(before).sorted()
      }
      #expect(try sent { $0.tags.insert("a") } == ["inverse", "realm", "set"])
      #expect(try sent { $0.marks["a"] = 1 } == ["inverse", "map", "realm"])
      #expect(try sent { $0.logs.append(LogEntry()) } == ["embedded", "inverse", "list", "realm"])
      #expect(try sent { $0.logs[0].text = "x" } == ["embedded", "inverse", "list", "realm"])
      #expect(try sent { $0.ship?.name = "Gjøa" } == ["inverse", "realm", "sections"])
      #expect(try sent { _ in } == [])
    }

    @Test("a saved token leaves it out of a write, and a cancelled subscription sends nothing")
    func tokens() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        try PublisherFixture.sailor(realm, 0).objectWillChange.saveToken(on: fixture, at: \.token)
          .note { journal.add("object") }.store(in: &subscriptions)
      }
      try fixture.here { realm in
        let token = try #require(fixture.token)
        try realm.write(withoutNotifying: [token]) { try PublisherFixture.sailor(realm, 0).age = 1 }
        #expect(journal.all.isEmpty)
        try realm.write { try PublisherFixture.sailor(realm, 0).age = 2 }
        #expect(journal.all == ["object"])
      }
      fixture.cancelAll()
      try fixture.write { try PublisherFixture.sailor($0, 0).age = 3 }
      #expect(journal.all == ["object"])
      try fixture.subscribe { realm, subscriptions in
        realm.objectWillChange.saveToken(on: fixture, for: \.token).note { journal.add("realm") }
          .store(in: &subscriptions)
        let token = try #require(fixture.token)
        try realm.write(withoutNotifying: [token]) { try PublisherFixture.sailor(realm, 0).age = 4 }
        #expect(journal.all == ["object"])
      }
    }

    @Test("a sink may write before a refresh: the Realm is newer then, and never moves back")
    func writing() throws {
      let fixture = try PublisherFixture()
      try fixture.subscribe { realm, subscriptions in
        realm.autorefresh = false
        let (first, second) = (try PublisherFixture.sailor(realm, 0), try PublisherFixture.sailor(realm, 1))
        first.objectWillChange.note {
          guard second.age == 0, !realm.isInWriteTransaction else { return }
          do { try realm.write { second.age = first.age } } catch { Issue.record(error) }
        }.store(in: &subscriptions)
      }
      try fixture.elsewhere { try PublisherFixture.sailor($0, 0).age = 5 }
      try fixture.here { realm in
        realm.refresh()
        let (first, second) = (try PublisherFixture.sailor(realm, 0), try PublisherFixture.sailor(realm, 1))
        #expect(first.age == 5 && second.age == 5)
      }
    }

    /// Checks that everything an observer is notified of was announced before.
    @Test("random changes, here and elsewhere: each that an observer is notified of was announced since the last")
    func random() throws {
      var random = SeededRandom.forTest()
      let fixture = try PublisherFixture()
      let announced = Lock<Set<String>>([])
      let missed = Lock<[String]>([])
      var tokens: [NotificationToken] = []
      func observed(_ name: String) {
        if announced.withLock({ $0.remove(name) }) == nil { missed.withLock { $0.append(name) } }
      }
      try fixture.write { realm in
        for id in 0..<3 {
          realm.create(Ship.self, value: ["name": "s\(id)"])
          try PublisherFixture.sailor(realm, id).logs.append(LogEntry())
        }
      }
      try fixture.subscribe { realm, subscriptions in
        func follow<C: RealmCollection & RealmSubscribable>(_ name: String, _ collection: C) {
          RealmPublishersForTest.willChange(collection) { _ = announced.withLock { $0.insert(name) } }
            .store(in: &subscriptions)
          tokens.append(
            collection.observe { change in
              if case .update = change { observed(name) }
            })
        }
        realm.autorefresh = false
        let sailor = try PublisherFixture.sailor(realm, 0)
        let ship = realm.objects(Ship.self)[0]
        follow("results", realm.objects(Sailor.self).filter("age > 1 OR ship.name BEGINSWITH 'x'").sorted(by: \.name))
        follow("list", sailor.logs)
        follow("filtered list", sailor.logs.filter("text != 'q'"))
        follow("set", sailor.tags)
        follow("inverse", ship.crew)
        sailor.objectWillChange.note { _ = announced.withLock { $0.insert("object") } }.store(in: &subscriptions)
        tokens.append(sailor.observe { (_: ObjectChange<Sailor>) in observed("object") })
        let log = sailor.logs[0]
        log.objectWillChange.note { _ = announced.withLock { $0.insert("embedded") } }.store(in: &subscriptions)
        tokens.append(log.observe { (_: ObjectChange<LogEntry>) in observed("embedded") })
        realm.refresh()
      }
      for _ in 0..<200 {
        let body: (Realm) throws -> Void = { realm in try Self.change(realm, &random) }
        if random.oneIn(2) { try fixture.write(body) } else { try fixture.elsewhere(body) }
        try fixture.here { realm in
          // Delivers what is due at the present version, and then moves on.
          realm.refresh()
          realm.beginWrite()
          realm.cancelWrite()
        }
      }
      #expect(missed.withLock { $0 } == [])
      try fixture.here { _ in tokens.forEach { $0.invalidate() } }
    }

    private static func change(_ realm: Realm, _ random: inout SeededRandom) throws {
      let sailor = try PublisherFixture.sailor(realm, random.int(0..<3))
      let ship = random.pick(realm.objects(Ship.self))
      switch random.int(0..<10) {
      case 0: sailor.age = random.int(0..<4)
      case 1: sailor.name = random.string(maxLength: 3)
      case 2: sailor.ship = random.oneIn(3) ? nil : ship
      case 3: ship.name = random.oneIn(2) ? "x" : "y"
      case 4: sailor.logs.append(LogEntry())
      case 5: sailor.logs.last?.text = random.string(maxLength: 3)
      case 6: if !sailor.logs.isEmpty { sailor.logs.removeLast() }
      case 7: sailor.tags.insert(random.string(maxLength: 1))
      case 8: realm.create(Sailor.self, value: ["id": random.int(3..<9), "age": 2], update: .modified)
      default: realm.delete(realm.objects(Sailor.self).filter("id > 2"))
      }
    }
  }

  private enum RealmPublishersForTest {
    static func willChange<C: RealmCollection & RealmSubscribable>(
      _ collection: C, _ body: @escaping () -> Void
    ) -> AnyCancellable {
      collection.objectWillChange.note { body() }
    }
  }
#endif
