extension PartState {
  /// Decides how a device goes on, and gives uploads of its site to the new connection (MR-15, MR-16, MR-18).
  ///
  /// `cursor` and `epoch` are what the device was last sent, and `retained` the commits that it keeps: without any, the number after its last
  /// commit. `nonce` is the random number that the log has for one of the site's commits, nil when the log does not reach back to it. After a
  /// fork the device is a new site, with a state of its own.
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

  /// The last commit that the device shares with the log, when another device went on from there.
  private func fork(_ retained: RetainedCommits, _ client: ClientState, _ nonce: (UInt64) -> UInt64?) -> UInt64? {
    guard let last = retained.last else { return nil }
    for (index, own) in retained.nonces.enumerated() {
      let siteVersion = retained.first + UInt64(index)
      guard siteVersion <= client.lastSiteVersion else { break }
      if let known = nonce(siteVersion), known != own { return siteVersion - 1 }
    }
    return client.lastSiteVersion > last ? last : nil
  }
}
