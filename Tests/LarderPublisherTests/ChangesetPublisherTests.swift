import Dispatch
import Foundation
import Larder
import Testing

#if canImport(Combine)
  import Combine
#elseif OpenCombine
  import OpenCombine
  import OpenCombineDispatch
#endif

#if canImport(Combine) || OpenCombine
  @Suite("Publishers of changes") struct ChangesetPublisherTests {
    @Test("collections, lists and sets send what an observer gets, the first call included")
    func collections() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        realm.objects(Sailor.self).changesetPublisher.note { journal.add(text($0)) }.store(in: &subscriptions)
      }
      #expect(journal.wait())
      try fixture.elsewhere { realm in
        realm.create(Sailor.self, value: ["id": 7])
        try PublisherFixture.sailor(realm, 1).age = 3
        realm.delete(try PublisherFixture.sailor(realm, 0))
      }
      #expect(journal.wait() && journal.all == ["initial 3", "-[0] +[2] ~[1]"])
      fixture.cancelAll()
      try fixture.subscribe { realm, subscriptions in
        let sailor = try PublisherFixture.sailor(realm, 1)
        sailor.tags.changesetPublisher.note { journal.add(text($0)) }.store(in: &subscriptions)
      }
      #expect(journal.wait())
      try fixture.elsewhere { try PublisherFixture.sailor($0, 1).tags.insert("a") }
      #expect(journal.wait() && journal.all.suffix(2) == ["initial 0", "-[] +[0] ~[]"])
    }

    @Test("maps send the keys of what changed")
    func maps() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        try PublisherFixture.sailor(realm, 0).marks.changesetPublisher.note { change in
          switch change {
          case .initial(let map): journal.add("initial \(map.count)")
          case .update(_, let deletions, let insertions, let modifications):
            journal.add("-\(deletions) +\(insertions) ~\(modifications)")
          case .error(let error): Issue.record(error)
          }
        }.store(in: &subscriptions)
      }
      #expect(journal.wait())
      try fixture.elsewhere { try PublisherFixture.sailor($0, 0).marks["a"] = 1 }
      #expect(journal.wait() && journal.all == ["initial 0", "-[] +[\"a\"] ~[]"])
    }

    @Test("sections and one section send index paths")
    func sections() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        let sections = realm.objects(Sailor.self).sectioned(by: \.age)
        sections.changesetPublisher.note { journal.add("all " + text($0)) }.store(in: &subscriptions)
      }
      #expect(journal.wait())
      try fixture.subscribe { realm, subscriptions in
        let sections = realm.objects(Sailor.self).sectioned(by: \.age)
        sections[0].changesetPublisher.note { journal.add("one " + text($0)) }.store(in: &subscriptions)
      }
      #expect(journal.wait() && journal.all == ["all initial 1", "one initial 3"])
      try fixture.elsewhere { try PublisherFixture.sailor($0, 2).age = 9 }
      #expect(journal.wait() && journal.wait())
      #expect(journal.all.suffix(2).sorted() == ["all -[[0, 2]] +[[1, 0]] ~[]", "one -[[0, 2]] +[] ~[]"])
      fixture.cancelAll()
      try fixture.subscribe { realm, subscriptions in
        realm.objects(Sailor.self).sectioned(by: \.age).collectionPublisher.note { journal.add("\($0.count)") }
          .store(in: &subscriptions)
      }
      #expect(journal.wait() && journal.all.last == "2")
    }

    @Test("F-142: an object's changes are sent with old and new values, and its deletion is the end and no value")
    func objects() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        changesetPublisher(try PublisherFixture.sailor(realm, 0)).sink { _ in
          journal.add("end")
        } receiveValue: { change in
          switch change {
          case .change(_, let properties):
            journal.add("\(properties.map { "\($0.name) \($0.oldValue ?? "-") \($0.newValue ?? "-")" })")
          case .deleted: journal.add("deleted")
          case .error(let error): Issue.record(error)
          }
        }.store(in: &subscriptions)
      }
      try fixture.elsewhere { try PublisherFixture.sailor($0, 0).age = 4 }
      #expect(journal.wait())
      try fixture.elsewhere { $0.delete(try PublisherFixture.sailor($0, 0)) }
      #expect(journal.wait())
      #expect(journal.all == ["[\"age 0 4\"]", "end"])
    }

    @Test("saved tokens leave out publishers of changes of every kind")
    func tokens() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        changesetPublisher(try PublisherFixture.sailor(realm, 0)).saveToken(on: fixture, at: \.token)
          .note { _ in journal.add("change") }.store(in: &subscriptions)
      }
      try fixture.here { realm in
        let token = try #require(fixture.token)
        try realm.write(withoutNotifying: [token]) { try PublisherFixture.sailor(realm, 0).age = 1 }
        realm.refresh()
      }
      #expect(journal.all.isEmpty)
      try fixture.elsewhere { try PublisherFixture.sailor($0, 0).age = 2 }
      #expect(journal.wait() && journal.all == ["change"])
    }

    private func text(_ change: RealmCollectionChange<some RealmCollection>) -> String {
      switch change {
      case .initial(let collection): "initial \(collection.count)"
      case .update(_, let deletions, let insertions, let modifications):
        "-\(deletions) +\(insertions) ~\(modifications)"
      case .error(let error): "\(error)"
      }
    }

    private func text(_ change: SectionedResultsChange<some RealmSectionedResult>) -> String {
      switch change {
      case .initial(let sections): return "initial \(sections.count)"
      case .update(_, let deletions, let insertions, let modifications, _, _):
        func paths(_ paths: [IndexPath]) -> String { "\(paths.map { [$0.section, $0.item] })" }
        return "-\(paths(deletions)) +\(paths(insertions)) ~\(paths(modifications))"
      }
    }
  }
#endif
