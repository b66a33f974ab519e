import LarderSyncProtocol

/// The status of an engine.
package struct EngineStatus: Hashable, Sendable {
  /// The state of the connection.
  package enum Connection: Hashable, Sendable {
    case disconnected
    case connecting
    case connected
  }

  /// The phase of the connection.
  package enum Phase: Hashable, Sendable {
    /// There is no session.
    case connecting
    /// The state of objects is received.
    case bootstrapping
    /// The engine writes received content into the store.
    case applying
    /// Changes are exchanged as they are made.
    case following
  }

  /// True if the program has stopped the engine for now.
  package var isSuspended = false
  /// True if the engine has ended, or waits for the program to do something about its last failure.
  package var isInactive = false
  /// True if this process has the connection.
  package var isHolder = true
  package var connection = Connection.disconnected
  package var phase = Phase.connecting
  /// Objects of the bootstrap that are received, and then those that are applied.
  package var objectsDone = 0
  /// Objects of the bootstrap; nil while it is not known.
  package var objectsExpected: Int?
  /// Commits that the server has not confirmed.
  package var unsentCommits = 0
  /// Their bytes, about.
  package var unsentBytes = 0
  /// The time when the oldest of them was made, in milliseconds since 1970.
  package var oldestUnsent: UInt64?
  /// The time when both sides had last told each other everything, in milliseconds since 1970.
  package var lastSynced: UInt64?

  package init() {}
}

extension EngineStatus {
  /// Says how far a bootstrap is: one that has arrived whole and is being applied, or one that is coming in.
  mutating func setPhase(_ staged: StagedBootstrap?, _ incoming: IncomingBootstrap?, hasSession: Bool) {
    if let staged, staged.end != nil {
      phase = .applying
      objectsDone = Int(clamping: staged.appliedObjects)
      objectsExpected = Int(clamping: staged.objects)
    } else if let incoming {
      phase = .bootstrapping
      objectsDone = Int(clamping: incoming.received)
      objectsExpected = Int(clamping: max(incoming.expected, incoming.received))
    } else {
      phase = hasSession ? .following : .connecting
    }
  }
}

/// Operations of one object that the server did not accept, and what the program had written with them (Y-28).
package struct RejectedObject: Hashable, Sendable {
  /// The object.
  package var object: ObjectName
  /// The reason for the refusal.
  package var reason: RefusalReason
  /// The reason in words.
  package var message: String
  /// The values that the program had written, by property.
  package var values: [SyncProperty]

  package init(object: ObjectName, reason: RefusalReason, message: String, values: [SyncProperty]) {
    self.object = object
    self.reason = reason
    self.message = message
    self.values = values
  }
}

/// A failure of an engine.
package enum EngineFailure: Error, Hashable, Sendable {
  /// The server sent a failure.
  case server(SyncFailure)
  /// There is no connection; the engine goes on trying.
  case transport(TransportError)
  /// The token source has no token and the user has to sign in (Y-56).
  case signInRequired
  /// The token source failed; the engine goes on trying.
  case token(String)
  /// The state that the store keeps of synchronisation does not fit its content, or is damaged; a reset is needed.
  case state(String)
  /// The store starts again from the server's state, or has done so (Y-43).
  case reset(ResetNotice)
  /// The server's content is of other types than the program's classes.
  case schema(String)
  /// A transaction is larger than the server takes in one message.
  case tooLarge(String)
  /// The store could not be read or written.
  case store(String)
  /// So many sessions have ended without progress; the engine goes on trying.
  case noProgress(tries: Int, String)
  /// The server gave a commit its own time, because the device's clock is too far from the server's.
  case clockAdjusted(milliseconds: Int64)
  /// The file was copied, or restored from a backup (Y-68).
  case storeCopied
  /// The engine was stopped.
  case stopped
}

/// An event that an engine reports to its observers.
package enum EngineEvent: Hashable, Sendable {
  /// Something of the status changed.
  case status(EngineStatus)
  /// A set of subscriptions is complete, with nil, or was refused (Y-2, Y-5).
  case subscriptions(version: UInt64, error: SyncFailure?)
  /// The server did not accept operations (Y-28). The objects are already as the server has them.
  case rejected([RejectedObject])
  /// Links lead to objects that are not here, of classes of which none did so far (Y-33).
  case hiddenLinks([HiddenLinkCount])
  /// Something went wrong.
  case failure(EngineFailure)
}

extension EngineFailure {
  /// The failure in words.
  var text: String {
    switch self {
    case .server(let failure): failure.message.string
    case .state(let text), .schema(let text), .tooLarge(let text), .store(let text), .token(let text),
      .noProgress(_, let text):
      text
    case .reset(let notice): notice.cause
    case .transport(let error): "\(error)"
    case .signInRequired, .clockAdjusted, .storeCopied, .stopped: "\(self)"
    }
  }
}
