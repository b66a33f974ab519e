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
  /// Code as programs have it, in its usual forms: that it compiles is the test.
  @Suite("Programs that use publishers") struct ClientCodeTests {
    /// A view's model, without a view.
    final class Fleet: ObservableObject {
      @Published var names: [String] = []
      var tokenOfNames: NotificationToken?
      private var subscriptions: Set<AnyCancellable> = []

      init(_ realm: Realm) {
        realm.objects(Ship.self).sorted(by: \.name).collectionPublisher
          .saveToken(on: self, at: \.tokenOfNames)
          .freeze()
          .map { ships in ships.map(\.name) }
          .replaceError(with: [])
          .removeDuplicates()
          .sink { [weak self] in self?.names = $0 }
          .store(in: &subscriptions)
      }
    }

    /// A holder of an object as the wrappers of views hold it: by the framework's protocol.
    final class Holder<Observed: ObservableObject> {
      let observed: Observed
      private(set) var invalidations = 0
      private var subscription: AnyCancellable?

      init(_ observed: Observed) {
        self.observed = observed
        subscription = observed.objectWillChange.sink { [weak self] _ in self?.invalidations += 1 }
      }
    }

    @Test("a model of a view publishes names, and a holder is invalidated by its object and its list")
    func models() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      try fixture.subscribe { realm, subscriptions in
        let fleet = Fleet(realm)
        fleet.$names.dropFirst().sink { journal.add($0.joined(separator: " ")) }.store(in: &subscriptions)
        AnyCancellable { withExtendedLifetime(fleet) {} }.store(in: &subscriptions)
      }
      #expect(journal.wait())
      try fixture.elsewhere { $0.create(Ship.self, value: ["name": "Fram"]) }
      #expect(journal.wait() && journal.all.last == "Fram")
      try fixture.here { realm in
        let sailor = try PublisherFixture.sailor(realm, 0)
        let (object, list) = (Holder(sailor), Holder(sailor.logs))
        try realm.write { sailor.name = "y" }
        #expect(object.invalidations == 1 && list.invalidations == 0)
        try realm.write { sailor.logs.append(LogEntry()) }
        #expect(object.invalidations == 2 && list.invalidations == 1)
      }
    }

    @Test("operators of the framework follow those of Realms")
    func operators() throws {
      let fixture = try PublisherFixture()
      let journal = fixture.journal
      let other = DispatchQueue(label: "other")
      try fixture.subscribe { realm, subscriptions in
        let sailors = realm.objects(Sailor.self)
        sailors.collectionPublisher
          .map(\.count)
          .filter { $0 > 0 }
          .scan("") { "\($0)\($1)" }
          .receive(on: other)
          .sink(receiveCompletion: { _ in }, receiveValue: { journal.add($0) })
          .store(in: &subscriptions)
        let frozen: AnyPublisher<Results<Sailor>, any Error> = sailors.collectionPublisher.freeze()
          .eraseToAnyPublisher()
        frozen.assertNoFailure().map { $0.first?.name }.receive(on: other)
          .sink { _ = $0 }.store(in: &subscriptions)
        sailors.changesetPublisher(keyPaths: ["age"]).threadSafeReference().receive(on: other)
          .sink { change in
            if case .update(let sailors, _, _, _) = change { _ = sailors.count }
          }.store(in: &subscriptions)
      }
      #expect(journal.wait() && journal.all == ["3"])
    }

    @Test("the identity of an object is its row, of an unmanaged one its instance, of a projection that of its object")
    func identities() throws {
      let fixture = try PublisherFixture()
      try fixture.here { realm in
        let (first, second) = try realm.write {
          (realm.create(Ship.self, value: ["name": "a"]), realm.create(Ship.self, value: ["name": "b"]))
        }
        #expect(first.id == realm.objects(Ship.self)[0].id && first.id != second.id)
        let (one, two) = (Ship(), Ship())
        #expect(one.id == one.id && one.id != two.id)
        let sailor = try PublisherFixture.sailor(realm, 0)
        let (again, other) = (try PublisherFixture.sailor(realm, 0), try PublisherFixture.sailor(realm, 1))
        #expect(SailorCard(projecting: sailor).id == SailorCard(projecting: again).id)
        #expect(SailorCard(projecting: sailor).id != SailorCard(projecting: other).id)
      }
    }
  }
#endif
