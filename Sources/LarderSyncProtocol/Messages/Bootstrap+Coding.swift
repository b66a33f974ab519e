extension BootstrapBegin: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    view.encode(into: &encoder)
    encoder.flag(isFull)
    encoder.writer.varint(objects)
    encoder.writer.varint(bytes)
    encoder.writer.data(resumption)
    encoder.flag(continues)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    view = try ViewTag(from: &decoder)
    isFull = try decoder.flag()
    objects = try decoder.reader.varint()
    bytes = try decoder.reader.varint()
    resumption = try decoder.reader.data()
    continues = try decoder.flag()
  }
}

extension BootstrapPage: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(UInt64(part))
    encoder.name(className)
    encoder.optional(after)
    encoder.optional(through)
    encoder.writer.varint(version)
    encoder.writer.varint(ownSiteVersion)
    encoder.objects(objects)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    part = try decoder.reader.varint32()
    className = try decoder.name()
    after = try decoder.optional()
    through = try decoder.optional()
    version = try decoder.reader.varint()
    ownSiteVersion = try decoder.reader.varint()
    objects = try decoder.objects()
  }
}

extension BootstrapEnd: SyncCodable {
  public func encode(into encoder: inout SyncEncoder) {
    encoder.writer.varint(version)
    encoder.writer.varint(ownSiteVersion)
    view.encode(into: &encoder)
    encoder.writer.varint(epoch)
    encoder.flag(isFull)
    time.encode(into: &encoder)
    encoder.writer.data(cursor)
  }

  public init(from decoder: inout SyncDecoder) throws(SyncDecodingError) {
    version = try decoder.reader.varint()
    ownSiteVersion = try decoder.reader.varint()
    view = try ViewTag(from: &decoder)
    epoch = try decoder.reader.varint()
    isFull = try decoder.flag()
    time = try SyncTime(from: &decoder)
    cursor = try decoder.reader.data()
  }
}
