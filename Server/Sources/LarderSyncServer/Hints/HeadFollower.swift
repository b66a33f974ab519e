import Logging

/// Says which parts have changes that a server has not read yet: at once by hints, and at the latest after an interval by their head rows.
///
/// A hint is never believed: it makes the server look. `reached` says how far it has looked.
public actor HeadFollower {
  private struct Place: Hashable {
    let tenant: TenantID
    let part: PartID
  }

  private let store: any SyncStore
  private let bus: any HintBus
  private let interval: Duration
  private let logger: Logger
  private var reached: [Place: Int64] = [:]
  private var epochs: [Place: Int64] = [:]

  /// - Parameter interval: how long a lost hint delays what it was about.
  public init(
    store: any SyncStore, bus: any HintBus, interval: Duration = .seconds(1),
    logger: Logger = Logger(label: "larder-sync.hints")
  ) {
    self.store = store
    self.bus = bus
    self.interval = interval
    self.logger = logger
  }

  /// Says that changes up to a version have been read, and follows the part from now on.
  public func reached(_ tenant: TenantID, _ part: PartID = .first, version: Int64) {
    reached[Place(tenant: tenant, part: part)] = version
  }

  /// Follows a part no more.
  public func leave(_ tenant: TenantID, _ part: PartID = .first) {
    reached[Place(tenant: tenant, part: part)] = nil
    epochs[Place(tenant: tenant, part: part)] = nil
  }

  /// Calls the body for each part whose head is not what was reached, until the task is cancelled. It may be called twice for the same
  /// head.
  public func run(_ body: @escaping @Sendable (Hint) async -> Void) async {
    let hints = bus.hints()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await hint in hints where await self.isNew(hint) { await body(hint) }
      }
      group.addTask {
        while !Task.isCancelled {
          for hint in await self.differing() { await body(hint) }
          // Cancelled is noticed by the condition of the loop.
          try? await Task.sleep(for: self.interval)
        }
      }
    }
  }

  private func isNew(_ hint: Hint) -> Bool {
    guard let version = reached[Place(tenant: hint.tenant, part: hint.part)] else { return false }
    return hint.head > version
  }

  /// The parts whose heads are not what was reached, greater, or less after a restored backup, and those whose epoch was raised.
  private func differing() async -> [Hint] {
    let places = Array(reached.keys)
    guard !places.isEmpty else { return [] }
    do {
      let heads = try await store.read { try $0.heads(places.map { ($0.tenant, $0.part) }) }
      return heads.compactMap { head in
        let place = Place(tenant: head.tenant, part: head.part)
        guard let known = reached[place] else { return nil }
        let before = epochs.updateValue(head.epoch, forKey: place) ?? head.epoch
        guard known != head.head || before != head.epoch else { return nil }
        return Hint(tenant: head.tenant, part: head.part, head: head.head)
      }
    } catch {
      logger.warning("heads cannot be read; trying again", metadata: ["reason": "\(error)"])
      return []
    }
  }
}
