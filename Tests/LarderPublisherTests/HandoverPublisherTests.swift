import Dispatch
import Larder
import Testing

#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
  import OpenCombineDispatch
#endif

#if canImport(Combine) || OpenCombine
  @Suite("Publishers and other queues") struct HandoverPublisherTests {
    private let other = DispatchQueue(label: "other")

    @Test("what is frozen may be received anywhere")
    func freezing() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        realm.objects(Sailor.self).collectionPublisher.freeze().map { $0.filter("age > 3") }.receive(on: other)
          .note { journal.add("\($0.count) \($0.isFrozen)") }.store(in: &subscriptions)
      }
      #expect(journal.wait())
      try fixture.elsewhere { try PublisherFixture.sailor($0, 0).age = 4 }
      #expect(journal.wait() && journal.all == ["0 true", "1 true"])
    }

    @Test("changes of every kind can be frozen, with the objects among old and new values")
    func freezingChanges() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.write { realm in
        let ship = realm.create(Ship.self, value: ["name": "Beagle"])
        try PublisherFixture.sailor(realm, 0).ship = ship
      }
      try fixture.subscribe { realm, subscriptions in
        let sailor = try PublisherFixture.sailor(realm, 0)
        changesetPublisher(sailor).freeze().receive(on: other).note { change in
          guard case .change(let sailor, let properties) = change, let ship = properties[0].newValue as? Ship else {
            return
          }
          journal.add("object \(sailor.isFrozen) \(ship.isFrozen) \(ship.name)")
        }.store(in: &subscriptions)
      }
      try fixture.elsewhere { realm in
        try PublisherFixture.sailor(realm, 0).ship = realm.create(Ship.self, value: ["name": "Fram"])
      }
      #expect(journal.wait() && journal.all == ["object true true Fram"])
      try fixture.subscribe { realm, subscriptions in
        let sailor = try PublisherFixture.sailor(realm, 0)
        realm.objects(Sailor.self).changesetPublisher.freeze().receive(on: other).note { change in
          if case .initial(let all) = change { journal.add("results \(all.isFrozen)") }
        }.store(in: &subscriptions)
        sailor.marks.changesetPublisher.freeze().receive(on: other).note { change in
          if case .initial(let all) = change { journal.add("map \(all.isFrozen)") }
        }.store(in: &subscriptions)
        realm.objects(Sailor.self).sectioned(by: \.age).changesetPublisher.freeze().receive(on: other).note { change in
          if case .initial(let all) = change { journal.add("sections \(all.isFrozen)") }
        }.store(in: &subscriptions)
      }
      for _ in 0..<3 { #expect(journal.wait()) }
      #expect(journal.all.dropFirst().sorted() == ["map true", "results true", "sections true"])
    }

    @Test("after threadSafeReference() each value belongs to a Realm of the receiving queue")
    func references() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      let other = other
      try fixture.subscribe { realm, subscriptions in
        realm.objects(Sailor.self).collectionPublisher.threadSafeReference().receive(on: other).note { sailors in
          dispatchPrecondition(condition: .onQueue(other))
          journal.add("\(sailors.count) \(sailors.isFrozen)")
        }.store(in: &subscriptions)
      }
      #expect(journal.wait() && journal.all == ["3 false"])
      try fixture.subscribe { realm, subscriptions in
        valuePublisher(try PublisherFixture.sailor(realm, 0)).receive(on: other).note { sailor in
          do {
            if sailor.age == 1 { try sailor.realm?.write { sailor.age = 2 } }
            journal.add("one \(sailor.age)")
          } catch { Issue.record(error) }
        }.store(in: &subscriptions)
      }
      try fixture.elsewhere { try PublisherFixture.sailor($0, 0).age = 1 }
      while journal.all.filter({ $0 == "one 2" }).count < 2 { #expect(journal.wait()) }
      #expect(!journal.all.contains("one 1"))
    }

    @Test("what is deleted before it is received is left out")
    func deleted() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      let start = DispatchSemaphore(value: 0)
      let configuration = fixture.configuration
      let keeper = UncheckedRealm()
      // The receiving Realm is newer than what is sent, and knows of the deletion.
      other.async { [other] in
        start.wait()
        do {
          keeper.realm = try Realm(configuration: configuration, queue: other)
          keeper.realm?.refresh()
        } catch { Issue.record(error) }
      }
      try fixture.subscribe { realm, subscriptions in
        for id in 0..<2 {
          valuePublisher(try PublisherFixture.sailor(realm, id)).threadSafeReference().receive(on: other)
            .note { journal.add($0.name) }.store(in: &subscriptions)
        }
      }
      try fixture.elsewhere { try PublisherFixture.sailor($0, 0).age = 1 }
      try fixture.here { $0.refresh() }
      try fixture.write { $0.delete(try PublisherFixture.sailor($0, 0)) }
      start.signal()
      try fixture.elsewhere { try PublisherFixture.sailor($0, 1).name = "last" }
      while journal.all.last != "last" { #expect(journal.wait()) }
      #expect(!journal.all.contains("n0"))
      other.sync { keeper.realm = nil }
    }

    @Test("changes of every kind are handed over")
    func changes() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        let sailor = try PublisherFixture.sailor(realm, 0)
        let all = realm.objects(Sailor.self)
        all.changesetPublisher.threadSafeReference().receive(on: other).note { change in
          if case .initial(let all) = change { journal.add("results \(all.count) \(all.isFrozen)") }
        }.store(in: &subscriptions)
        sailor.marks.changesetPublisher.threadSafeReference().receive(on: other).note { change in
          if case .initial(let map) = change { journal.add("map \(map.count) \(map.isFrozen)") }
        }.store(in: &subscriptions)
        all.sectioned(by: \.age).changesetPublisher.threadSafeReference().receive(on: other).note { change in
          if case .initial(let sections) = change { journal.add("sections \(sections[0].count) \(sections.isFrozen)") }
        }.store(in: &subscriptions)
        changesetPublisher(sailor).threadSafeReference().receive(on: other).note { change in
          guard case .change(let sailor, let properties) = change, let ship = properties[0].newValue as? Ship else {
            return
          }
          journal.add("object \(sailor.isFrozen) \(ship.isFrozen) \(ship.crew.count)")
        }.store(in: &subscriptions)
      }
      for _ in 0..<3 { #expect(journal.wait()) }
      try fixture.elsewhere { realm in
        try PublisherFixture.sailor(realm, 0).ship = realm.create(Ship.self, value: ["name": "Fram"])
      }
      #expect(journal.wait())
      #expect(journal.all.prefix(3).sorted() == ["map 0 false", "results 3 false", "sections 3 false"])
      #expect(journal.all.last == "object false false 1")
    }

    @Test("subscribe(on:) observes on another queue, an object from the version of its subscription on")
    func subscribing() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      let other = other
      try fixture.subscribe { realm, subscriptions in
        realm.objects(Sailor.self).collectionPublisher.subscribe(on: other).note { sailors in
          dispatchPrecondition(condition: .onQueue(other))
          journal.add("all \(sailors.count)")
        }.store(in: &subscriptions)
      }
      #expect(journal.wait() && journal.all == ["all 3"])
      try fixture.subscribe { realm, subscriptions in
        valuePublisher(try PublisherFixture.sailor(realm, 0)).subscribe(on: other).note { sailor in
          dispatchPrecondition(condition: .onQueue(other))
          journal.add("one \(sailor.name)")
        }.store(in: &subscriptions)
      }
      try fixture.elsewhere { try PublisherFixture.sailor($0, 0).name = "x" }
      #expect(journal.wait() && journal.wait())
      #expect(journal.all.suffix(2).sorted() == ["all 3", "one x"])
    }
  }

  /// A Realm that is used on one queue.
  private final class UncheckedRealm: @unchecked Sendable {
    // Unchecked: used on that queue only.
    var realm: Realm?
  }
#endif
