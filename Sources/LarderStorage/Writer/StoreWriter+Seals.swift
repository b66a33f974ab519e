import LarderLMDB

extension StoreWriter {
  /// Gives the records of the catalog that have no checksum, as the first stores wrote them, their checksums.
  ///
  /// A store has them or not when it is opened, so that this costs nothing in all others.
  func sealCatalog() throws {
    guard store.lacksCatalogSeals else { return }
    let catalog = store.tables.catalog
    for (key, word) in CatalogSeal.rareRecords {
      guard let record = try transaction.get(catalog, key)?.bytes,
        !record.withView({ CatalogSeal.isSealed($0, word) })
      else { continue }
      try transaction.put(catalog, key, CatalogSeal.seal(record, word))
    }
  }
}
