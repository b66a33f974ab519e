import LarderStorage

/// The parts of a `ClientResetMode`.
struct ResetBlocks: Sendable {
  var mode: ResetPlan.Mode
  var before: (@Sendable (Realm) -> Void)?
  var after: (@Sendable (Realm, Realm) -> Void)?
  /// Gets the error of a manual reset, in place of the handler of all sessions.
  var handler: ErrorHandler?

  init(_ mode: ClientResetMode) { self = (mode as any ResetBlocksSource).blocks }

  fileprivate init(
    _ mode: ResetPlan.Mode, _ before: (@Sendable (Realm) -> Void)?, _ after: (@Sendable (Realm, Realm) -> Void)?
  ) {
    self.mode = mode
    self.before = before
    self.after = after
  }

  fileprivate init(manual handler: ErrorReportingBlock?) {
    mode = .manual
    if let handler { self.handler = { error, session in handler(error, session as? SyncSession) } }
  }

  /// The plan of an engine whose program has these blocks, for stores that are opened with a configuration.
  func plan(_ registry: SessionRegistry, _ configuration: Realm.Configuration) -> ResetPlan {
    ResetPlan(mode, isHeard: { registry.session(at: $0.path) != nil }) { store, reset in
      guard let session = registry.session(at: store.path), before != nil || after != nil else { return try reset {} }
      var image: Realm?
      try reset {
        let realm = try Realm(configuration: configuration)
        realm.refresh()
        let frozen = realm.freeze()
        session.withoutWriting { before?(frozen) }
        image = frozen
      }
      guard let after, let image else { return }
      do {
        let realm = try Realm(configuration: configuration)
        realm.refresh()
        after(image, realm)
      } catch {
        // The reset is done, whatever comes of this.
        Logger.shared.log(.error, "'\(store.path)' cannot be opened after its client reset: \(error)")
      }
    }
  }
}

/// Reads modes through a protocol, because one of them is deprecated for programs.
private protocol ResetBlocksSource {
  var blocks: ResetBlocks { get }
}

extension ClientResetMode: ResetBlocksSource {
  @available(*, deprecated, message: "Use ResetBlocks(_:)")
  fileprivate var blocks: ResetBlocks {
    switch self {
    case .discardLocal(let before, let after), .discardUnsyncedChanges(let before, let after):
      ResetBlocks(.discard, before, after)
    case .recoverUnsyncedChanges(let before, let after): ResetBlocks(.recover, before, after)
    case .recoverOrDiscardUnsyncedChanges(let before, let after): ResetBlocks(.recoverOrDiscard, before, after)
    case .manual(let handler): ResetBlocks(manual: handler)
    }
  }
}
