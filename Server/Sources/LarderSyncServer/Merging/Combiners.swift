import LarderSyncProtocol
import Synchronization

/// The combiners of a server, one for each part that commits come for. May be used from any thread.
public final class Combiners: Sendable {
  private struct Place: Hashable {
    let tenant: TenantID
    let part: PartID
  }

  /// A combiner lives as long as it merges or is called.
  private struct Known {
    weak var combiner: Combiner?
  }

  private struct State {
    var known: [Place: Known] = [:]
    /// With so many places, those without a combiner are forgotten.
    var crowded = 64
    var isClosed = false
  }

  private let store: any SyncStore
  private let hints: any HintBus
  private let configuration: CombinerConfiguration
  private let merged: @Sendable (Hint) -> Void
  private let state = Mutex(State())

  /// Combiners over a store.
  ///
  /// - Parameters:
  ///   - hints: carries word of new commits to other servers.
  ///   - merged: called after each transaction with the new head, before those who submitted are answered, so that readers of the log in this
  ///     process go on at once. It must not block.
  public init(
    store: any SyncStore, hints: any HintBus, configuration: CombinerConfiguration = CombinerConfiguration(),
    merged: @escaping @Sendable (Hint) -> Void = { _ in }
  ) {
    self.store = store
    self.hints = hints
    self.configuration = configuration
    self.merged = merged
  }

  /// Merges commits into a part of a tenant; see `Combiner.submit`.
  ///
  /// - Throws: as `Combiner.submit`.
  public func submit(
    _ uploads: [SubmittedUpload], to tenant: TenantID, part: PartID = .first
  ) async throws(SyncStoreError) -> [UploadOutcome] {
    try await combiner(Place(tenant: tenant, part: part)).submit(uploads)
  }

  /// Refuses further commits, and returns when those that wait are answered.
  public func close() async {
    let combiners = state.withLock { state in
      state.isClosed = true
      return state.known.values.compactMap(\.combiner)
    }
    for combiner in combiners { await combiner.close() }
  }

  /// The number of places that have a combiner, or had one a short time ago.
  var knownCount: Int { state.withLock { $0.known.count } }

  private func combiner(_ place: Place) throws(SyncStoreError) -> Combiner {
    let found = state.withLock { state -> Combiner? in
      guard !state.isClosed else { return nil }
      if let combiner = state.known[place]?.combiner { return combiner }
      if state.known.count >= state.crowded {
        state.known = state.known.filter { $0.value.combiner != nil }
        state.crowded = max(64, 2 * state.known.count)
      }
      let combiner = make(place)
      state.known[place] = Known(combiner: combiner)
      return combiner
    }
    guard let found else { throw SyncStoreError(.closed, "the server is stopping; send the commits again later") }
    return found
  }

  private func make(_ place: Place) -> Combiner {
    Combiner(tenant: place.tenant, part: place.part, store: store, configuration: configuration) {
      [hints, merged] hint in
      merged(hint)
      hints.publish(hint)
    }
  }
}
