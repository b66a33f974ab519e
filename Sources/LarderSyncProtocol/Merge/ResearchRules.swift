/// Rules that were tried first and refuted. Tests switch one on to see that the checks of random histories find what it breaks; nothing
/// else sets them.
struct ResearchRules: OptionSet, Sendable {
  let rawValue: UInt32

  /// The mask of a pending cell ends with the acknowledgement (against MR-1).
  static let maskEndsAtAcknowledgement = ResearchRules(rawValue: 1 << 0)
  /// A change of view by its own author is not sent to the author (against MR-2).
  static let authorKeepsView = ResearchRules(rawValue: 1 << 1)
  /// A commit without effect does not touch its objects (against MR-3).
  static let uselessCommitsTouchNothing = ResearchRules(rawValue: 1 << 2)
  /// Changes that a bootstrap page already has are applied again (against MR-5).
  static let pagesSkipNothing = ResearchRules(rawValue: 1 << 3)
  /// One register holds explicit values and defaults (against MR-7).
  static let oneRegister = ResearchRules(rawValue: 1 << 4)
  /// A default voids older adds (against MR-8).
  static let defaultsVoidAdds = ResearchRules(rawValue: 1 << 5)
  /// The value of a creation voids older adds (against MR-8).
  static let creationsVoidAdds = ResearchRules(rawValue: 1 << 15)
  /// Uploads of an earlier session are merged, and gaps of numbers too (against MR-15).
  static let noFence = ResearchRules(rawValue: 1 << 6)
  /// A device whose numbers were used twice is not found out (against MR-15).
  static let noNonces = ResearchRules(rawValue: 1 << 7)
  /// Discarding keeps the site (against MR-17).
  static let discardKeepsSite = ResearchRules(rawValue: 1 << 8)
  /// Own changes inside a page stay pending (against MR-5).
  static let pagesKeepPending = ResearchRules(rawValue: 1 << 9)
  /// The need for a full rebuild is forgotten with the connection (against MR-18).
  static let rebuildIsForgotten = ResearchRules(rawValue: 1 << 10)
  /// Clamping to the server's time, and not above what is stored (against MR-6).
  static let clampToNow = ResearchRules(rawValue: 1 << 11)
  /// A commit that a copy of a device had already sent under another site is merged again (against MR-16).
  static let forksRepeatCommits = ResearchRules(rawValue: 1 << 14)
  /// A bootstrap ends with the newest time at its beginning (against MR-6).
  static let endsTellFirstTime = ResearchRules(rawValue: 1 << 12)
  /// A record that brings objects whole has the time of its commit, and not of all that is in them (against MR-6).
  static let recordsTellOwnTime = ResearchRules(rawValue: 1 << 13)
}
