/// The position of a bootstrap that a device keeps and that has not arrived whole: the server may go on from there (Y-19).
public struct BootstrapPosition: Hashable, Sendable {
  /// The bytes that the server gave with the beginning.
  public let resumption: [UInt8]
  /// The view that the device has at the end.
  public let view: ViewTag
  /// The class of the last page that is kept.
  public let className: SyncText
  /// The last key of that page's range; nil for the end of the class.
  public let through: PrimaryKey?

  /// A position.
  public init(resumption: [UInt8], view: ViewTag, className: SyncText, through: PrimaryKey?) {
    self.resumption = resumption
    self.view = view
    self.className = className
    self.through = through
  }
}

extension BootstrapPosition: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.data(resumption)
    view.encode(into: &encoder)
    encoder.name(className)
    encoder.optional(through)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    resumption = try decoder.reader.data()
    view = try ViewTag(from: &decoder)
    className = try decoder.name()
    through = try decoder.optional()
  }
}
