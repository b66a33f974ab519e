/// The limits of what bytes from elsewhere may ask for. All of it is checked before memory is taken.
public struct DecodingLimits: Hashable, Sendable {
  /// The bytes of one frame, also after it was expanded.
  public var frameBytes: Int
  /// Elements, entries, properties, operations and the like in one message together. Each takes at most some 200 bytes of memory besides its texts and bytes.
  public var items: Int
  /// Names of list elements in one message that are given as runs, together.
  public var runNames: Int
  /// Containers within each other in a value, and steps of a path.
  public var depth: Int

  /// Limits of one's own.
  public init(frameBytes: Int, items: Int, runNames: Int, depth: Int) {
    self.frameBytes = frameBytes
    self.items = items
    self.runNames = runNames
    self.depth = depth
  }

  /// The limits of a session: frames of 17 MiB, so that a value of 16 MiB fits, about a million items, 4 million names, 100 levels.
  public static let standard = DecodingLimits(
    frameBytes: 17 << 20, items: 1 << 20, runNames: 1 << 22, depth: SyncLimit.depth.most)
  /// The limits before the other side is known: frames of 256 KiB, so that a device can name the commits that it keeps.
  public static let handshake = DecodingLimits(frameBytes: 256 << 10, items: 1 << 15, runNames: 0, depth: 8)
}
