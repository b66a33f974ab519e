/// The reason why bytes are not valid, and the place in them.
public struct SyncDecodingError: Error, Hashable, Sendable {
  /// The kind of the fault.
  public enum Reason: Hashable, Sendable {
    /// The bytes end where more are needed.
    case truncated(needed: Int)
    /// A length or a number of things is larger than the bytes that are left can hold.
    case countTooLarge(UInt64)
    /// A number has more bytes than it needs.
    case notMinimal
    /// A number does not fit its type.
    case overflow
    /// A tag that this version does not know, and of what.
    case unknownTag(UInt64, of: String)
    /// A text is not UTF-8.
    case notUTF8
    /// The value is right but is written in another way than the only one, and how.
    case notCanonical(String)
    /// More than one of the limits allows, and which.
    case overLimit(String, Int)
    /// Bytes are left after the end.
    case trailing(Int)
    /// An extension that may not be skipped and that this version does not know.
    case unknownExtension(UInt64)
    /// The body is compressed, and there is nothing to expand it with, or it does not expand.
    case notExpandable
  }

  /// The kind of the fault.
  public let reason: Reason
  /// The offset of the byte at which it was found, from the beginning of what was decoded.
  public let position: Int

  /// A reason with its place.
  public init(_ reason: Reason, at position: Int) {
    self.reason = reason
    self.position = position
  }
}

extension SyncDecodingError: CustomStringConvertible {
  public var description: String {
    "byte \(position): \(problem); the other side has to be of a version that is compatible"
  }

  private var problem: String {
    switch reason {
    case .truncated(let needed): "\(needed) more bytes are needed"
    case .countTooLarge(let count): "\(count) things cannot be in the bytes that are left"
    case .notMinimal: "a number has more bytes than it needs"
    case .overflow: "a number is too large for its type"
    case .unknownTag(let tag, let what): "\(tag) is no tag of \(what)"
    case .notUTF8: "a text is not UTF-8"
    case .notCanonical(let how): "not in canonical form: \(how)"
    case .overLimit(let what, let limit): "more than the limit of \(limit) \(what)"
    case .trailing(let count): "\(count) bytes are left after the end"
    case .unknownExtension(let id): "extension \(id) is not known and may not be skipped"
    case .notExpandable: "the compressed body cannot be expanded"
    }
  }
}
