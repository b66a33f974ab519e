@testable import LarderSyncProtocol
import TestBasics
import TestTraits
import Testing

/// Rules that do not work have to be found out: otherwise histories that pass would say little.
@Suite("Rules that were refuted", .long)
struct RefutedRulesTests {
  struct Refuted: Sendable, CustomTestStringConvertible {
    let name: String
    let rules: ResearchRules
    let kinds: [HistoryKind]
    /// A history that finds it, which is tried first. A change of how histories are drawn makes it another one.
    var known: Known?
    /// True if it takes hundreds of histories to find it otherwise.
    var isRare = false

    struct Known: Sendable {
      var kind: HistoryKind
      var seed: UInt64

      init(_ kind: HistoryKind, _ seed: UInt64) { (self.kind, self.seed) = (kind, seed) }
    }

    var testDescription: String { name }
  }

  /// Rules that only a long search would find are left to `.ci/run`.
  static var all: [Refuted] { every.filter { !$0.isRare || searches } }

  private static var searches: Bool { HistoryRun.count >= 2_000 }

  private static let every = [
    Refuted(
      name: "MR-1: a mask that ends with the acknowledgement", rules: .maskEndsAtAcknowledgement, kinds: [.everyday]),
    Refuted(name: "MR-2: an author that keeps its view", rules: .authorKeepsView, kinds: [.everyday]),
    Refuted(name: "MR-5: changes applied that a page has", rules: .pagesSkipNothing, kinds: [.everyday, .disaster]),
    Refuted(name: "MR-5: own changes of a page that wait on", rules: .pagesKeepPending, kinds: [.everyday, .disaster]),
    Refuted(
      name: "MR-6: bootstraps that end with the time of their beginning", rules: .endsTellFirstTime,
      kinds: [.everyday, .lists], known: Refuted.Known(.lists, 229_059_055_100), isRare: true),
    Refuted(name: "MR-7: one register", rules: .oneRegister, kinds: [.everyday]),
    Refuted(name: "MR-8: defaults that void adds", rules: .defaultsVoidAdds, kinds: [.everyday]),
    Refuted(name: "F-104: creations that void adds", rules: .creationsVoidAdds, kinds: [.everyday]),
    Refuted(name: "MR-15: no nonces", rules: .noNonces, kinds: [.disaster], isRare: true),
    Refuted(
      name: "MR-15: no fence", rules: .noFence, kinds: [.disaster], known: Refuted.Known(.disaster, 619_535_763_445),
      isRare: true),
    Refuted(name: "MR-17: a site that goes on after a discard", rules: .discardKeepsSite, kinds: [.listDisaster]),
    Refuted(name: "MR-18: a rebuild that is forgotten", rules: .rebuildIsForgotten, kinds: [.disaster]),
  ]

  @Test("histories find a failure", arguments: all)
  func refuted(_ refuted: Refuted) {
    if let known = refuted.known, isFound(refuted, known.kind, known.seed) { return }
    var random = SeededRandom(seed: 20_260_101)
    for attempt in 0..<12_000 {
      let kind = refuted.kinds[attempt % refuted.kinds.count]
      let seed = random.next() >> 24
      guard isFound(refuted, kind, seed) else { continue }
      print("\(refuted.name): history \(attempt + 1), known: Known(.\(kind.rawValue), \(seed))")
      return
    }
    Issue.record("12,000 histories did not find \(refuted.name)")
  }

  /// Returns true if a history fails by the rule. A history that fails without it as well says nothing about it.
  private func isFound(_ refuted: Refuted, _ kind: HistoryKind, _ seed: UInt64) -> Bool {
    let history = HistoryRun(kind, seed: seed, research: refuted.rules)
    return history.run(history.steps).failure != nil
      && HistoryRun(kind, seed: seed).run(history.steps).failure == nil
  }
}
