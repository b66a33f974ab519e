import LarderRealmFile
import LarderStorage

/// One import of an open `.realm` file into an empty store, in several transactions.
struct FileImport {
  private let file: RealmFile
  private let store: Store
  private let state: ImportState
  private let objectLimit: Int

  init(
    _ file: RealmFile, into store: Store, objectLimit: Int, progress: @escaping (RealmImportProgress) -> Void
  ) throws {
    self.file = file
    self.objectLimit = objectLimit
    self.store = store
    state = try ImportState(file, progress: progress)
  }

  func run() throws -> RealmImportReport {
    let transactions = try ImportTransactions(store, objectLimit: objectLimit)
    do {
      let schema = SchemaConversion(file)
      try transactions.writer.apply(schema.declarations, schemaVersion: state.report.schemaVersion)
      try state.adopt(transactions.writer.schema, notices: schema.notices)
      try makeObjects(transactions)
      try fillObjects(transactions)
      try transactions.commit()
    } catch {
      transactions.cancel()
      throw error
    }
    noteOrphans()
    state.finish()
    state.show(.checking, "")
    let links = try file.verifyLinks()
    state.note(links)
    try ImportCheck(state: state, store: store).run(linksOfFile: links.links)
    return state.report
  }

  /// The classes that are carried, with their places in the file.
  private var entries: [(index: Int, entry: ImportedClass)] {
    state.classes.enumerated().compactMap { index, entry in entry.map { (index, $0) } }
  }

  private func makeObjects(_ transactions: ImportTransactions) throws {
    for (index, entry) in entries {
      guard entry.isEmbedded else {
        try ObjectMaking(state: state, transactions: transactions, index: index, entry: entry).run()
        continue
      }
      // They are made in their parents; here is only looked which there are.
      try file.forEachCluster(of: entry.source) { try state.notePlaces(ofEmbedded: index, $0.keys) }
    }
  }

  private func fillObjects(_ transactions: ImportTransactions) throws {
    let filling = ObjectFilling(state: state, transactions: transactions)
    for (index, entry) in entries where !entry.isEmbedded && !entry.others.isEmpty {
      try filling.run(index, entry)
    }
  }

  /// Notes embedded objects that no object holds.
  private func noteOrphans() {
    for (index, entry) in entries where entry.isEmbedded {
      state.keys[index].forEach { key, place in
        guard !state.isOwned(index, place: place) else { return }
        state.omit(index, key, nil, .embeddedWithoutParent, "no object holds this embedded object")
      }
    }
  }
}
