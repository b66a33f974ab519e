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
  @Suite("Publishers, by their examples") struct PublishersSnippets {
    // begin: model
    final class Shelf: ObservableObject {
      @Published var names: [String] = []
      private var subscriptions: Set<AnyCancellable> = []

      init(_ realm: Realm) {
        realm.objects(Ship.self).sorted(by: \.name).collectionPublisher
          .map { ships in ships.map(\.name) }
          .replaceError(with: [])
          .sink { [weak self] in self?.names = $0 }
          .store(in: &subscriptions)
      }
    }
    // end: model

    @Test func model() throws {
      let fixture = try PublisherFixture()
      try fixture.subscribe { realm, subscriptions in
        let shelf = Shelf(realm)
        shelf.$names.sink { fixture.journal.add("\($0)") }.store(in: &subscriptions)
        AnyCancellable { withExtendedLifetime(shelf) {} }.store(in: &subscriptions)
      }
      try fixture.elsewhere { $0.create(Ship.self, value: ["name": "Fram"]) }
      while fixture.journal.all.last != "[\"Fram\"]" { #expect(fixture.journal.wait()) }
    }

    @Test func queues() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      let worker = DispatchQueue(label: "worker")
      try fixture.subscribe { realm, subscriptions in
        let sailors = realm.objects(Sailor.self)
        // begin: queues
        // Unchanging, for any queue.
        let frozen = sailors.changesetPublisher
          .freeze()
          .receive(on: worker)
          .sink { change in
            if case .initial(let sailors) = change { journal.add("frozen \(sailors.count)") }
          }
        // Live, in the Realm of the queue.
        let live = sailors.collectionPublisher
          .threadSafeReference()
          .receive(on: worker)
          .assertNoFailure()
          .sink { sailors in journal.add("live \(sailors.count)") }
        // Observed on the queue to begin with.
        let observed = sailors.changesetPublisher(keyPaths: ["name"])
          .subscribe(on: worker)
          .sink { change in
            if case .initial(let sailors) = change { journal.add("observed \(sailors.count)") }
          }
        // end: queues
        for subscription in [frozen, live, observed] { subscription.store(in: &subscriptions) }
      }
      for _ in 0..<3 { #expect(journal.wait()) }
      #expect(journal.all.sorted() == ["frozen 3", "live 3", "observed 3"])
    }

    @Test func willChange() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        let sailor = try PublisherFixture.sailor(realm, 1)
        // begin: willChange
        let subscription = sailor.objectWillChange.sink {
          journal.add("was \(sailor.age)")
        }
        try realm.write { sailor.age = 30 }
        // end: willChange
        subscription.store(in: &subscriptions)
      }
      #expect(journal.all == ["was 0"])
    }

    // begin: token
    final class Editor {
      var token: NotificationToken?
      var subscription: AnyCancellable?

      func follow(_ sailor: Sailor) {
        subscription = changesetPublisher(sailor)
          .saveToken(on: self, at: \.token)
          .sink { change in print("changed by others: \(change)") }
      }

      func rename(_ sailor: Sailor, to name: String, in realm: Realm) throws {
        try realm.write(withoutNotifying: [token].compactMap { $0 }) { sailor.name = name }
      }
    }
    // end: token

    @Test func token() throws {
      let fixture = try PublisherFixture()
      try fixture.here { realm in
        let editor = Editor()
        let sailor = try PublisherFixture.sailor(realm, 1)
        editor.follow(sailor)
        try editor.rename(sailor, to: "x", in: realm)
        #expect(sailor.name == "x" && editor.token != nil)
      }
    }
  }
#endif
