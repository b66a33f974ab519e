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
  @Suite("Publishers of values") struct ValuePublisherTests {
    @Test("a collection is sent at once and after each change, until the subscription is cancelled")
    func collection() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        realm.objects(Sailor.self).collectionPublisher.note { journal.add("\($0.count)") }.store(in: &subscriptions)
      }
      #expect(journal.wait())
      try fixture.elsewhere { $0.create(Sailor.self, value: ["id": 7]) }
      #expect(journal.wait() && journal.all == ["3", "4"])
      fixture.cancelAll()
      try fixture.elsewhere { $0.create(Sailor.self, value: ["id": 8]) }
      try fixture.here { $0.refresh() }
      #expect(journal.all == ["3", "4"])
    }

    @Test("a publisher observes from each subscription on, and the names publisher and valuePublisher mean the same")
    func names() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        let all = realm.objects(Sailor.self)
        all.publisher.note { journal.add("\($0.count)") }.store(in: &subscriptions)
        valuePublisher(all).note { journal.add("\($0.count)") }.store(in: &subscriptions)
        try PublisherFixture.sailor(realm, 0).logs.publisher.note { journal.add("\($0.count)") }.store(
          in: &subscriptions)
        AnyRealmCollection(all).collectionPublisher.note { journal.add("\($0.count)") }.store(in: &subscriptions)
      }
      for _ in 0..<4 { #expect(journal.wait()) }
      #expect(journal.all.sorted() == ["0", "3", "3", "3"])
    }

    @Test("F-141: an object is sent after each change of it and not before, and its deletion is the end")
    func object() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        valuePublisher(try PublisherFixture.sailor(realm, 1)).sink { _ in
          journal.add("end")
        } receiveValue: {
          journal.add($0.name)
        }.store(in: &subscriptions)
        #expect(journal.all.isEmpty)
      }
      try fixture.elsewhere { try PublisherFixture.sailor($0, 1).name = "b" }
      #expect(journal.wait())
      try fixture.elsewhere { try PublisherFixture.sailor($0, 2).name = "other" }
      try fixture.elsewhere { $0.delete(try PublisherFixture.sailor($0, 1)) }
      #expect(journal.wait())
      #expect(journal.all == ["b", "end"])
    }

    @Test("key paths choose among changes of an object and of a collection's elements")
    func keyPaths() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        realm.objects(Sailor.self).collectionPublisher(keyPaths: ["age"]).note { journal.add("all \($0[0].age)") }
          .store(in: &subscriptions)
      }
      #expect(journal.wait())
      try fixture.subscribe { realm, subscriptions in
        valuePublisher(try PublisherFixture.sailor(realm, 0), keyPaths: ["name"]).note { journal.add("one \($0.name)") }
          .store(in: &subscriptions)
      }
      try fixture.elsewhere { try PublisherFixture.sailor($0, 0).age = 5 }
      #expect(journal.wait())
      try fixture.elsewhere { try PublisherFixture.sailor($0, 0).name = "x" }
      #expect(journal.wait())
      #expect(journal.all == ["all 0", "all 5", "one x"])
    }

    @Test("F-141: a projection is sent as such after a change")
    func projection() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        let card = SailorCard(projecting: try PublisherFixture.sailor(realm, 0))
        valuePublisher(card).note { journal.add($0.title) }.store(in: &subscriptions)
        changesetPublisher(card).note { change in
          if case .change(let card, let properties) = change { journal.add("\(card.title) \(properties.map(\.name))") }
        }.store(in: &subscriptions)
      }
      try fixture.elsewhere { try PublisherFixture.sailor($0, 0).name = "x" }
      #expect(journal.wait() && journal.wait())
      #expect(journal.all == ["x", "x [\"title\"]"])
    }

    @Test("a subscriber that cancels at once gets nothing more, and observes nothing")
    func first() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        valuePublisher(try PublisherFixture.sailor(realm, 0)).first().note { journal.add($0.name) }
          .store(in: &subscriptions)
        realm.objects(Sailor.self).collectionPublisher.first().note { journal.add("\($0.count)") }
          .store(in: &subscriptions)
      }
      #expect(journal.wait())
      for name in ["x", "y"] {
        try fixture.elsewhere { try PublisherFixture.sailor($0, 0).name = name }
        try fixture.here { $0.refresh() }
      }
      #expect(journal.wait())
      #expect(journal.all == ["3", "x"])
    }

    @Test(
      "a write within a sink is one within an observer's block: a transaction of its own, of which the sink is notified later"
    )
    func writing() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        realm.objects(Sailor.self).collectionPublisher.note { sailors in
          journal.add("\(sailors.count)")
          if sailors.count < 5 {
            do {
              try realm.write { realm.create(Sailor.self, value: ["id": sailors.count]) }
            } catch { Issue.record(error) }
          }
        }.store(in: &subscriptions)
      }
      for _ in 0..<3 { #expect(journal.wait()) }
      #expect(journal.all == ["3", "4", "5"])
    }

    @Test("a saved token leaves the publisher out of a write")
    func tokens() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        realm.objects(Sailor.self).collectionPublisher.saveToken(on: fixture, at: \.token)
          .note { journal.add("\($0.count)") }.store(in: &subscriptions)
      }
      #expect(journal.wait())
      try fixture.here { realm in
        let token = try #require(fixture.token)
        try realm.write(withoutNotifying: [token]) { realm.create(Sailor.self, value: ["id": 7]) }
      }
      try fixture.elsewhere { $0.create(Sailor.self, value: ["id": 8]) }
      #expect(journal.wait() && journal.all == ["3", "5"])
    }
  }
#endif
