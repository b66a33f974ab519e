import LarderLMDB

/// Recognises leaves of clusters whose entries are lost: by the checksum, which has the key in it, or by the seal.
///
/// Which leaves are missing the catalog tells. Each value is tried as all of them, beginning after the one that was found last: what is
/// written together has neighbouring keys and pages.
struct OrphanLeaves {
  /// A leaf that is missing.
  private struct Missing {
    let word: UInt64
    /// The type as the header of the leaf has it; 0 for presence bits.
    let type: UInt8
  }

  private let copy: RepairCopy
  private let cipher: StoreCipher?
  private let clusters: Table
  private var missing: [Missing] = []
  private var next = 0
  /// The number of slots of the leaf that was found under a key.
  private var found: [UInt64: Int] = [:]
  private var budget = Self.mostBytes
  /// Leaves that were found twice: of versions that cannot be distinguished.
  private(set) var doubles = 0

  /// Bytes that are hashed or opened in vain before the search is given up.
  private static let mostBytes = 1 << 35
  /// Leaves that are looked for; a damaged counter may say anything.
  private static let mostMissing = 1 << 20

  /// - Parameter mayBeMissing: Whether an entry of the leaves may be one that damaged pages led to.
  init(
    _ copy: RepairCopy, _ cipher: StoreCipher?,
    _ catalog: (schema: SchemaRecord, state: CatalogState, clusterSize: Int),
    mayBeMissing: (KeyBytes) -> Bool
  ) throws {
    self.copy = copy
    self.cipher = cipher
    clusters = copy.environment.table(StoreLayout.clusters)
    let reading = try copy.environment.beginRead()
    for entry in catalog.schema.classes.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      let columns = entry.columns.filter { $0.collection == .none }.sorted { $0.id.rawValue < $1.id.rawValue }
      let types = [(ColumnID.presence, UInt8(0))] + columns.map { ($0.id, $0.type.rawValue) }
      for cluster in 0..<catalog.state.clusterCount(of: entry.id, clusterSize: catalog.clusterSize) {
        guard missing.count < Self.mostMissing else { return }
        for (column, type) in types {
          let word = StoreLayout.leafKey(entry.id, column, cluster: cluster)
          guard mayBeMissing(KeyBytes(word)), try reading.get(clusters, KeyBytes(word)) == nil else { continue }
          missing.append(Missing(word: word, type: type))
        }
      }
    }
  }

  /// The number of leaves that were found.
  var count: Int { found.count }

  /// True if the search was given up before its end.
  var isIncomplete: Bool { budget < 0 }

  /// Takes a value into the copy when it is a leaf that is missing; its size then.
  mutating func recognize(_ bytes: ByteView) throws -> Int? {
    guard !missing.isEmpty, budget >= 0 else { return nil }
    let sizes = cipher == nil ? [LeafView.size(within: bytes)].compactMap { $0 } : sealedSizes(bytes)
    for size in sizes {
      let value = bytes.slice(0, size)
      for step in missing.indices {
        let place = (next + step) % missing.count
        let wanted = missing[place]
        guard cipher != nil || wanted.type == bytes.load(11, as: UInt8.self) else { continue }
        budget -= size
        guard budget >= 0 else { return nil }
        guard let slots = slots(of: value, under: wanted.word) else { continue }
        next = place + 1
        try take(value, wanted.word, slots)
        return size
      }
    }
    return nil
  }

  /// Returns the number of slots of a leaf; nil when it is not the one of a key.
  private func slots(of value: ByteView, under word: UInt64) -> Int? {
    guard let cipher else { return StoredLeaf.read(value, key: word) { $0.count } }
    let key = withUnsafeBytes(of: word.bigEndian) { Array($0) }
    return key.withView { cipher.opened(value, clusters, $0) }?.withView {
      (try? StoredLeaf($0, key: word))?.view.count
    }
  }

  /// Returns the sizes that a sealed value may have: zeros follow it, and its seal may end with some.
  private func sealedSizes(_ bytes: ByteView) -> [Int] {
    guard let last = bytes.buffer.lastIndex(where: { $0 != 0 }) else { return [] }
    let least = (last + 8) / 8 * 8
    return [least, least + 8, least + 16].filter { $0 <= bytes.count }
  }

  /// Of two leaves with one key that of more objects is taken for the newer one.
  private mutating func take(_ value: ByteView, _ word: UInt64, _ slots: Int) throws {
    if let before = found[word] {
      doubles += 1
      guard slots >= before else { return }
      try copy.flush()
      try copy.remove(StoreLayout.clusters, KeyBytes(word))
    }
    found[word] = slots
    let key = withUnsafeBytes(of: word.bigEndian) { Array($0) }
    try key.withView { try copy.take(StoreLayout.clusters, $0, value) }
  }
}
