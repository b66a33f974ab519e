@testable import LarderSyncProtocol
import TestSupport
import TestTraits
import Testing

/// Rules that do not work have to be found out: otherwise histories that pass would say little.
@Suite("Rules that were refuted", .long)
struct RefutedRulesTests {
  struct Refuted: Sendable, CustomTestStringConvertible {
    let name: String
    let rules: ResearchRules
    let kinds: [HistoryKind]
    /// Whether it takes hundreds of histories: then it is tried with as many as `.ci/run` asks for.
    var isRare = false

    var testDescription: String { name }
  }

  static var all: [Refuted] { every.filter { !$0.isRare || HistoryRun.count >= 2_000 } }

  private static let every = [
    Refuted(
      name: "MR-1: a mask that ends with the acknowledgement", rules: .maskEndsAtAcknowledgement, kinds: [.everyday]),
    Refuted(name: "MR-2: an author that keeps its view", rules: .authorKeepsView, kinds: [.everyday]),
    Refuted(
      name: "MR-3: commits without effect that touch nothing", rules: .uselessCommitsTouchNothing,
      kinds: [.everyday], isRare: true),
    Refuted(name: "MR-5: changes applied that a page has", rules: .pagesSkipNothing, kinds: [.everyday, .disaster]),
    Refuted(name: "MR-5: own changes of a page that wait on", rules: .pagesKeepPending, kinds: [.everyday, .disaster]),
    Refuted(
      name: "MR-6: bootstraps that end with the time of their beginning", rules: .endsTellFirstTime,
      kinds: [.everyday, .lists]),
    Refuted(
      name: "MR-6: objects that come whole with the time of one commit", rules: .recordsTellOwnTime,
      kinds: [.everyday, .lists], isRare: true),
    Refuted(name: "MR-7: one register", rules: .oneRegister, kinds: [.everyday]),
    Refuted(name: "MR-8: defaults that void adds", rules: .defaultsVoidAdds, kinds: [.everyday]),
    Refuted(name: "MR-15: no nonces", rules: .noNonces, kinds: [.disaster], isRare: true),
    Refuted(name: "MR-15: no fence", rules: .noFence, kinds: [.disaster], isRare: true),
    Refuted(name: "MR-17: a site that goes on after a discard", rules: .discardKeepsSite, kinds: [.listDisaster]),
    Refuted(name: "MR-18: a rebuild that is forgotten", rules: .rebuildIsForgotten, kinds: [.disaster]),
  ]

  @Test("histories find a failure", arguments: all)
  func refuted(_ refuted: Refuted) {
    var random = SeededRandom(seed: 20_260_101)
    for attempt in 0..<12_000 {
      let kind = refuted.kinds[attempt % refuted.kinds.count]
      let history = HistoryRun(kind, seed: random.next() >> 24, research: refuted.rules)
      guard let failure = history.run(history.steps).failure else { continue }
      // What fails without the refuted rule as well says nothing about it.
      guard HistoryRun(kind, seed: history.seed).run(history.steps).failure == nil else { continue }
      print("\(refuted.name): history \(attempt + 1): \(failure)")
      return
    }
    Issue.record("12,000 histories did not find \(refuted.name)")
  }
}
