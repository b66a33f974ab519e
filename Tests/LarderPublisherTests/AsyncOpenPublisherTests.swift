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
  @Suite("Opening by a publisher") struct AsyncOpenPublisherTests {
    @Test("a Realm is opened for the queue it is received on, sent once, and that is the end")
    func opening() throws {
      let journal = Journal()
      let queue = DispatchQueue(label: "opened")
      let configuration = Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [Sailor.self, Ship.self, LogEntry.self])
      let subscription = Realm.asyncOpen(configuration: configuration).receive(on: queue).sink { completion in
        journal.add("\(completion)")
      } receiveValue: { realm in
        dispatchPrecondition(condition: .onQueue(queue))
        journal.add("\(realm.objects(Sailor.self).count)")
      }
      #expect(journal.wait() && journal.wait() && journal.all == ["0", "finished"])
      subscription.cancel()
    }

    @Test("what cannot be opened fails, and a cancelled opening sends nothing")
    func failing() throws {
      let journal = Journal()
      let queue = DispatchQueue(label: "opened")
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: "/nonexistent/folder/a.larder"), readOnly: true, objectTypes: [Ship.self])
      let publisher = Realm.asyncOpen(configuration: configuration).receive(on: queue)
      let subscription = publisher.sink { completion in
        if case .failure(let error) = completion { journal.add("\(type(of: error))") }
      } receiveValue: { _ in
      }
      #expect(journal.wait() && journal.all == ["Error"])
      subscription.cancel()
      queue.suspend()
      let cancelled = publisher.sink { _ in
        journal.add("late")
      } receiveValue: { _ in
      }
      cancelled.cancel()
      queue.resume()
      queue.sync {}
      #expect(journal.all == ["Error"])
    }
  }
#endif
