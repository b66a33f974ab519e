/// A text that is compared by its UTF-8 bytes: two spellings of one character are two texts, as they are in a store and on the wire.
public struct SyncText: Sendable, ExpressibleByStringLiteral {
  /// The text.
  public let string: String

  /// A text with the bytes of a string, which are not normalised.
  public init(_ string: String) {
    self.string = string
  }

  public init(stringLiteral value: String) {
    string = value
  }
}

extension SyncText: Hashable {
  public static func == (left: SyncText, right: SyncText) -> Bool {
    left.string.utf8.count == right.string.utf8.count && left.string.utf8.elementsEqual(right.string.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    // Texts of the same bytes are equal strings, and those hash alike.
    hasher.combine(string)
  }
}

extension SyncText: Comparable {
  public static func < (left: SyncText, right: SyncText) -> Bool {
    left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
  }
}

extension SyncText: CustomStringConvertible {
  public var description: String { string }
}
