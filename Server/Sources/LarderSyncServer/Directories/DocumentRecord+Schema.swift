import LarderSyncProtocol

extension DocumentRecord {
  /// A schema as the store keeps it, in the protocol's encoding.
  public init(schema: SyncSchema, version: Int64, created: Int64) {
    let numbered = SyncSchema(version: UInt64(version), classes: schema.classes)
    self.init(version: version, body: numbered.encoded(), created: created)
  }

  /// The schema that the record keeps.
  ///
  /// - Throws: `SyncStoreError` of kind `damaged` for bytes that are none.
  public func schema() throws -> SyncSchema {
    do {
      return try SyncSchema(decoding: body)
    } catch {
      throw SyncStoreError(.damaged, "schema \(version) cannot be read: \(error)")
    }
  }
}
