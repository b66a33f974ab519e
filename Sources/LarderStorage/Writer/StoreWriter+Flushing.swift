import LarderLMDB

/// Writing what waits in memory to LMDB, in an order in which nothing is read after it may have moved.
extension StoreWriter {
  /// Writes everything that waits in memory, so that indexes and leaves in LMDB show the transaction's state.
  ///
  /// - Parameter isLast: Nothing follows but the commit: new rows may be stored as tails.
  func flush(isLast: Bool = false) throws {
    cache.viewsChanged()
    if isLast { try tails.foldTails(onlyLeftBehind: true) }
    if schemaState.isDirty || !isLast || cache.decodedBytes > Self.bytesOfSmallCommit { try placeCatalog() }
    for case let owner? in classes where owner.isDirty || !owner.primaryKeys.isEmpty {
      for number in owner.clusters.keys.sorted() {
        guard let cluster = owner.clusters[number], cluster.isDirty else { continue }
        try clusterWriting.write(cluster, owner, isLast)
        try indexes.flushLargePairs(owner)
      }
      try indexes.flushPrimaryKeys(owner)
      owner.isDirty = false
      // What is in a tail now can be read from nowhere else.
      owner.keepClusters { $0 === owner.current || (isLast && $0.tail != nil) }
    }
    cache.wasWritten()
    try flushLists()
    try pairTrees.applyAll()
    for case let owner? in classes { owner.forgetNewLinks() }
  }

  /// A commit that writes less does so where there is room, and its pages are close together.
  private static let bytesOfSmallCommit = 1 << 16

  /// Takes the page of the catalog before those of what is written after it: pages are given in the order of their numbers, and where the
  /// end of a file is lost, what says what the rest means is not lost with it.
  func placeCatalog() throws {
    guard !schemaState.isCatalogPlaced else { return }
    schemaState.isCatalogPlaced = true
    if schemaState.isDirty { try records.putSchema() }
    // Both are written again at the end, in place.
    try transaction.put(store.tables.catalog, StoreLayout.stateKey, base.state.encode())
  }

  /// Writes what a look-up of an index or of backlinks would write first: views of leaves do not outlive that.
  package func settle() throws {
    if !trees.isEmpty || classes.contains(where: { $0?.isDirty ?? false }) { try flush() }
  }

  // MARK: - Lists

  /// Writes out the lists that changed.
  func flushLists() throws {
    guard openLists.hasChanges else { return }
    if openLists.hasSeveralChanges { try placeCatalog() }
    try openLists.write(in: transaction)
  }

  /// Writes out and lets go of every list that was opened.
  func closeLists() throws {
    try flushLists()
    openLists.close()
  }
}
