/// The schema as a transaction has it, and how far a change of it has come.
struct TransactionSchema {
  private(set) var classes: StoreSchema
  private(set) var record: SchemaRecord
  /// True if the transaction changed it.
  private(set) var isDirty = false
  /// True if the page of the catalog was taken in this transaction, with the schema as it is now.
  var isCatalogPlaced = false
  /// Set while a migration changes objects.
  var migrating: MigrationState?

  init(_ base: Snapshot) {
    classes = base.schema
    record = base.schemaRecord
  }

  /// Takes over a changed record.
  mutating func adopt(_ record: SchemaRecord) {
    self.record = record
    isDirty = true
    isCatalogPlaced = false
    classes = StoreSchema(classes: record.classes, schemaVersion: record.schemaVersion)
  }
}
