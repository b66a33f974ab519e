extension PartState {
  /// Decides how a device goes on, and gives uploads of its site to the new connection (MR-15, MR-16, MR-18).
  ///
  /// `cursor` and `epoch` are what the device was last sent, and `retained` the commits that it keeps: without any, the number after its last
  /// commit. `nonce` returns the random number of one of the site's commits, nil when the server no longer keeps it. After a fork the device is a
  /// new site, with a state of its own.
  public func resume(
    cursor: UInt64?, epoch: UInt64, retained: RetainedCommits, client: inout ClientState, session: UInt64,
    nonce: (UInt64) -> UInt64?
  ) -> Resumption {
    resume(cursor: cursor, epoch: epoch, retained: retained, client: &client, session: session, [], nonce: nonce)
  }

  func resume(
    cursor: UInt64?, epoch: UInt64, retained: RetainedCommits, client: inout ClientState, session: UInt64,
    _ research: ResearchRules, nonce: (UInt64) -> UInt64?
  ) -> Resumption {
    client.session = session
    if !research.contains(.noNonces), let common = fork(retained, client, nonce) { return .fork(common: common) }
    guard epoch == self.epoch else { return .rebuild(.epoch) }
    guard let cursor else { return .rebuild(.new) }
    if cursor < floor { return .rebuild(.expired) }
    return cursor > head ? .rebuild(.unknownCursor) : .incremental
  }

  /// Returns the last commit that the device shares with the log for certain, when another device went on from there.
  ///
  /// A history is a chain: a commit that both have says the same of all before it. One whose number the server no longer keeps says nothing.
  /// A device with fewer commits than its own site is a copy in any case, and offers again whatever is not certain, so that nothing of it is lost.
  private func fork(_ retained: RetainedCommits, _ client: ClientState, _ nonce: (UInt64) -> UInt64?) -> UInt64? {
    guard let last = retained.last else { return nil }
    var common = retained.first - 1
    for (index, own) in retained.nonces.enumerated() {
      let siteVersion = retained.first + UInt64(index)
      guard siteVersion <= client.lastSiteVersion, let known = nonce(siteVersion) else { continue }
      if known != own { return common }
      common = siteVersion
    }
    return client.lastSiteVersion > last ? common : nil
  }
}
