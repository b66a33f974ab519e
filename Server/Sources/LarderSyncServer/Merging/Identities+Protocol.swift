import LarderSyncProtocol

// What the protocol names, as the keys of rows.

extension SiteKey {
  /// The key of a site's rows: its 16 bytes.
  init(_ site: SiteID) { self.init(stored: site.encoded()) }
}

extension SiteID {
  /// The site of a row.
  ///
  /// - Throws: `SyncStoreError` of kind `damaged` when the key is not 16 bytes.
  init(_ key: SiteKey) throws(SyncStoreError) {
    do throws(SyncDecodingError) {
      self = try SiteID(decoding: key.bytes)
    } catch {
      throw SyncStoreError(.damaged, "\(key) does not name a site; the database was changed by another program")
    }
  }
}

extension ObjectKey {
  /// The key of an object's row: the name of its class, and the bytes in whose order primary keys are.
  init(_ object: ObjectName) {
    self.init(className: object.className.string, primaryKey: OrderedKey.bytes(object.key))
  }
}

extension ObjectName {
  /// The object of a row.
  ///
  /// - Throws: `SyncStoreError` of kind `damaged` when the bytes are no primary key.
  init(_ key: ObjectKey) throws(SyncStoreError) {
    guard let primaryKey = OrderedKey.key(key.primaryKey) else {
      throw SyncStoreError(.damaged, "\(key) has no primary key; the database was changed by another program")
    }
    self.init(className: SyncText(key.className), key: primaryKey)
  }
}
