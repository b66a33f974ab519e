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
  @Suite("Misuse of publishers") struct PublisherMisuseTests {
    @Test("an unmanaged object cannot be observed")
    func unmanaged() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = valuePublisher(Sailor()).sink { _ in
        } receiveValue: { _ in
        }
      }
      #expect(text(result).contains("An unmanaged Sailor cannot be observed"))
    }

    @Test("nothing is handed over to a concurrent queue, or observed on another scheduler than a queue")
    func concurrent() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let fixture = try PublisherFixture()
        try fixture.subscribe { realm, _ in
          _ = realm.objects(Sailor.self).collectionPublisher.threadSafeReference().receive(on: DispatchQueue.global())
            .sink { _ in
            } receiveValue: { _ in
            }
        }
      }
      #expect(text(result).contains("Use a serial queue"))
      let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let fixture = try PublisherFixture()
        try fixture.subscribe { realm, _ in
          _ = realm.objects(Sailor.self).collectionPublisher.subscribe(on: ImmediateScheduler.shared)
        }
      }
      #expect(text(other).contains("pass a serial DispatchQueue to subscribe(on:)"))
    }

    @Test("a live value that operators bring to another queue is misuse, which says what to do")
    func live() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let fixture = try PublisherFixture()
        let other = DispatchQueue(label: "other")
        try fixture.subscribe { realm, subscriptions in
          realm.objects(Sailor.self).collectionPublisher.map { $0 }.receive(on: other)
            .sink { _ in
            } receiveValue: {
              fixture.journal.add("\($0.count)")
            }.store(in: &subscriptions)
        }
        _ = fixture.journal.wait()
      }
      #expect(text(result).contains("freeze() or threadSafeReference()"))
    }

    private func text(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
  }
#endif
