import LarderLMDB

/// The handles of the store's tables.
package struct StoreTables: Sendable {
  package let catalog: Table
  package let clusters: Table
  package let large: Table
  package let collections: Table
  package let indexes: Table
  package let backlinks: Table
  package let log: Table
  package let tombstones: Table
  package let cursors: Table
  package let origins: Table

  init(_ environment: Environment) {
    catalog = environment.table(StoreLayout.catalog)
    clusters = environment.table(StoreLayout.clusters)
    large = environment.table(StoreLayout.large)
    collections = environment.table(StoreLayout.collections)
    indexes = environment.table(StoreLayout.indexes)
    backlinks = environment.table(StoreLayout.backlinks)
    log = environment.table(StoreLayout.log)
    tombstones = environment.table(StoreLayout.tombstones)
    cursors = environment.table(StoreLayout.cursors)
    origins = environment.table(StoreLayout.origins)
  }

  /// Every table with its name, for statistics.
  package var all: [Table] {
    [catalog, clusters, large, collections, indexes, backlinks, log, tombstones, cursors, origins]
  }
}
