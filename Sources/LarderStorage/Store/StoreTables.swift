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

  /// The tables of an environment that synchronisation has; nil while the file has none.
  struct Sync: Sendable {
    let operations: Table
    let ghosts: Table
    let state: Table
    let elements: Table

    init?(_ environment: Environment) {
      self.init(StoreLayout.syncTables.compactMap { environment.optionalTable($0) })
    }

    init?(_ tables: [Table]) {
      guard tables.count == StoreLayout.syncTables.count else { return nil }
      (operations, ghosts, state, elements) = (tables[0], tables[1], tables[2], tables[3])
    }

    var all: [Table] { [operations, ghosts, state, elements] }
  }

  /// Every table with its name, for statistics.
  package var all: [Table] {
    [catalog, clusters, large, collections, indexes, backlinks, log, tombstones, cursors, origins]
  }
}
