import LarderSyncProtocol

// What the device sends to be merged.
extension SessionCore {
  /// Takes commits. They are merged beside what else the session does, and in their order.
  func receive(_ commits: [SyncCommit], _ size: Int) throws {
    guard var active else { return }
    let verdict = active.uploads.receive(commits, bytes: size)
    switch verdict {
    case .leave: return done(size)
    case .gap(let expected):
      throw SessionFailure(
        .uploadGap, action: .reconnect,
        "The server expects commit \(expected), and got \(commits.first?.siteVersion ?? 0).")
    case .tooMany:
      throw SessionFailure(.rate, action: .reconnect, "The device sends more uploads, or commits in one, than it may.")
    case .take: break
    }
    guard !commits.isEmpty else { return done(size) }
    let failure = active.overRate(commits.count, size, now: services.now, services.configuration.devices)
    self.active = active
    if let failure { return sendAgain(failure) }
    // Of a device that is sent no markers no more is kept than this: reasons are in the markers too.
    if operations.count > Self.mostOperations || keptNames > Self.mostNames {
      operations = [:]
      keptNames = 0
    }
    for commit in commits where commit.siteVersion > active.uploads.acknowledged {
      operations[commit.siteVersion] = commit.operations.map(\.object)
      keptNames += commit.operations.count
    }
    let share = size / commits.count
    queue += try commits.map { try submitted($0, active.peer, share) }
    guard !isUploading else { return }
    isUploading = true
    Task { await merge() }
  }

  private static var mostOperations: Int { 8_192 }
  private static var mostNames: Int { 262_144 }

  /// Returns when what was received is merged.
  func finishUploads() async {
    while isUploading {
      guard (try? await Task.sleep(for: .milliseconds(5))) != nil else { return }
    }
  }

  private func submitted(
    _ commit: SyncCommit, _ peer: SessionPeer, _ size: Int
  ) throws(SessionFailure) -> SubmittedUpload {
    let scope = active?.scope ?? CreationScope()
    do throws(UnmergeableCommit) {
      return try SubmittedUpload(
        site: peer.site, session: peer.session, commit: commit, access: peer.access, size: size,
        mayCreate: { scope.contains($0, $1) })
    } catch {
      throw SessionFailure(.commit, action: .stop, "No device makes such a commit: \(error)")
    }
  }

  /// Merges what waits, and goes on until nothing does, also when the connection has ended meanwhile.
  private func merge() async {
    while !queue.isEmpty, let tenant = active?.peer.tenant {
      let uploads = queue
      queue = []
      do throws(SyncStoreError) {
        let outcomes = try await services.combiners.submit(uploads, to: tenant)
        try acknowledge(uploads, outcomes)
      } catch {
        failed(error)
      }
    }
    isUploading = false
  }

  private func acknowledge(_ uploads: [SubmittedUpload], _ outcomes: [UploadOutcome]) throws(SyncStoreError) {
    var last: UInt64 = 0
    var merged: UInt64 = 0
    for (upload, outcome) in zip(uploads, outcomes) {
      switch outcome {
      case .merged:
        merged += 1
        last = upload.commit.siteVersion
      case .duplicate: last = upload.commit.siteVersion
      case .fenced:
        acknowledge(through: last)
        return end(
          SessionFailure(
            .fenced, action: .reconnect,
            "The device has a newer session, which goes on in place of this one; it may come again later.",
            retryAfter: 30_000))
      case .gap(let expected):
        acknowledge(through: last)
        return end(SessionFailure(.uploadGap, action: .reconnect, "The server expects commit \(expected)."))
      case .unknownSite:
        return end(SessionFailure(.server, action: .reconnect, "The server does not know the device's site any more."))
      }
    }
    services.counters.commits.add(merged, ordering: .relaxed)
    acknowledge(through: last)
  }

  /// Says that commits up to one are durable. Also called before the marker of a commit is sent, which says the same.
  func acknowledge(through siteVersion: UInt64) {
    guard siteVersion > 0, let (isNew, bytes) = active?.uploads.acknowledge(through: siteVersion) else { return }
    // A duplicate is acknowledged again: the device may not have got the first time.
    if isNew || bytes > 0 {
      send(.acknowledge(Acknowledgement(siteVersion: active?.uploads.acknowledged ?? siteVersion)))
    }
    done(bytes)
  }

  private func failed(_ error: SyncStoreError) {
    switch error.kind {
    case .conflict, .unavailable, .timedOut, .cannotConnect, .full, .commitUnknown:
      logger.warning("commits cannot be merged now", metadata: ["reason": "\(error)"])
      sendAgain(
        SessionFailure(
          .busy, action: .resend, "The server cannot merge now; send the commits again later.", retryAfter: 1_000))
    default: end(error)
    }
  }

  /// Asks the device to send again what is not durable.
  private func sendAgain(_ failure: SessionFailure) {
    queue = []
    let bytes = active?.uploads.sendAgain() ?? 0
    send(.failure(failure.failure))
    done(bytes)
  }
}

extension SessionCore.Active {
  /// Returns the failure that the device is sent when it uploads more in a second than it may; nil when it does not.
  fileprivate mutating func overRate(
    _ count: Int, _ size: Int, now: Int64, _ limits: DeviceLimits
  ) -> SessionFailure? {
    let problem: (text: String, wait: Int64)
    if let wait = commits.take(count, now: now) {
      problem = ("The device sends more commits than the \(limits.commitsPerSecond) that it may in a second.", wait)
    } else if let wait = bytes.take(size, now: now) {
      problem = ("The device sends more bytes than the \(limits.uploadBytesPerSecond) that it may in a second.", wait)
    } else {
      return nil
    }
    return SessionFailure(
      .rate, action: .resend, problem.text, retryAfter: UInt32(clamping: max(1, problem.wait)))
  }
}
