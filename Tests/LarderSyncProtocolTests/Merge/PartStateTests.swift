@testable import LarderSyncProtocol
import Testing

@Suite("How devices go on")
struct PartStateTests {
  static let numbers: [UInt64] = [0, 1, 2, UInt64(Int64.max) - 1, UInt64(Int64.max), 1 << 63, .max - 1, .max]

  @Test("F-101: any numbers of commits that a device keeps have an answer", arguments: numbers, [0, 1, 2])
  func retained(_ first: UInt64, _ count: Int) {
    let retained = RetainedCommits(first: first, nonces: (0..<count).map(UInt64.init))
    let isPossible = first > 0 && first <= UInt64(Int64.max) && first - 1 <= UInt64(Int64.max) - UInt64(count)
    #expect(retained.last == (isPossible ? first - 1 + UInt64(count) : nil))
    for last in Self.numbers {
      for cursor in Self.numbers.map(Optional.some) + [nil] {
        var client = ClientState(lastSiteVersion: last)
        let answer = PartState(head: 5, floor: 1, epoch: 3).resume(
          cursor: cursor, epoch: 3, retained: retained, client: &client, session: .max
        ) { $0 == first ? 7 : nil }
        if case .fork(let common) = answer { #expect(isPossible && common < last) }
        #expect(client.session == .max)
      }
    }
  }

  /// The answers to a device with commits from 16 on, where the server keeps the numbers of some.
  @Test(
    "MR-15: A commit whose number is not kept is no shared one",
    arguments: [
      // A copy that lags after its site: what is not known is offered again.
      (2, 20, [:], Resumption.fork(common: 15)), (2, 20, [20: 9], .fork(common: 15)),
      (2, 20, [16: 0], .fork(common: 16)),
      (2, 20, [17: 1], .fork(common: 17)), (0, 20, [:], .fork(common: 15)),
      // A copy that went on past its site.
      (8, 20, [20: 9], .fork(common: 15)), (8, 20, [18: 2, 20: 9], .fork(common: 18)),
      (8, 20, [18: 2, 19: 9, 20: 9], .fork(common: 18)),
      // The device itself, whose chain holds whatever is unknown of it.
      (5, 20, [20: 4], .incremental), (8, 20, [20: 4], .incremental), (5, 20, [:], .incremental),
    ] as [(Int, UInt64, [UInt64: UInt64], Resumption)])
  func unknown(_ count: Int, _ last: UInt64, _ kept: [UInt64: UInt64], _ expected: Resumption) {
    let retained = RetainedCommits(first: 16, nonces: (0..<count).map(UInt64.init))
    var client = ClientState(lastSiteVersion: last)
    let answer = PartState(head: 50, floor: 1, epoch: 3).resume(
      cursor: 40, epoch: 3, retained: retained, client: &client, session: 2
    ) { kept[$0] }
    #expect(answer == expected)
  }

  @Test("F-101: any number of a commit has a decision", arguments: numbers, numbers)
  func decisions(_ last: UInt64, _ siteVersion: UInt64) {
    let decision = ClientState(lastSiteVersion: last, session: 1).decide(siteVersion: siteVersion, session: 1)
    switch decision {
    case .duplicate: #expect(siteVersion <= last)
    case .merge: #expect(siteVersion - 1 == last)
    case .gap(let expected): #expect(expected - 1 == last && siteVersion > expected)
    case .fenced: Issue.record("the session is the one that may upload")
    }
  }
}
