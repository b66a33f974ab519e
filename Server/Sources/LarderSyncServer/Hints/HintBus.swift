/// Says that the log of a part has grown.
public struct Hint: Hashable, Sendable {
  public var tenant: TenantID
  public var part: PartID
  /// The head as the sender knows it.
  public var head: Int64

  public init(tenant: TenantID, part: PartID = .first, head: Int64) {
    self.tenant = tenant
    self.part = part
    self.head = head
  }
}

/// Carries hints between the tasks of a server, and between servers. It holds nothing: a hint that is lost, late or there twice costs
/// time and no correctness, because heads are read from the store as well (`HeadFollower`).
public protocol HintBus: Sendable {
  /// Sends a hint soon. Never waits and never fails.
  func publish(_ hint: Hint)

  /// The hints from now on, of this process too. A reader that is slow misses old ones.
  func hints() -> AsyncStream<Hint>

  /// Ends the streams.
  func close()
}
