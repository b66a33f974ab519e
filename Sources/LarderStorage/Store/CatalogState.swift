import LarderLMDB

/// The catalog's state record: the counters that change with every commit.
struct CatalogState: Equatable {
  /// Counters of one class.
  struct ClassCounters: Equatable {
    /// Key of the next object: survives everything, so that keys are never reused (L-5).
    var nextKey: UInt64 = 0
    /// Live objects.
    var count: UInt64 = 0
  }

  /// The store's version: one more with every commit, never restarted (L-1).
  var version: UInt64 = 0
  /// Last hybrid clock value given out (L-10).
  var clock: UInt64 = 0
  /// First version whose record the log still holds (L-14).
  var logFloor: UInt64 = 1
  /// Changes when the log was replaced, repaired or restored (L-15).
  var epoch: UInt64 = 1
  /// Version of the commit that last wrote the schema record.
  var schemaVersionStamp: UInt64 = 0
  /// By class number.
  var counters: [ClassCounters] = []
  /// The versions that wrote the records of counters, where the counters are in records of their own. Empty where they are with the rest.
  var parts: [UInt64] = []

  /// Keys of objects are below this.
  private static let mostKeys: UInt64 = 1 << 62

  init() {}

  subscript(_ id: ClassID) -> ClassCounters {
    get { Int(id.rawValue) < counters.count ? counters[Int(id.rawValue)] : ClassCounters() }
    set {
      while counters.count <= Int(id.rawValue) { counters.append(ClassCounters()) }
      counters[Int(id.rawValue)] = newValue
    }
  }

  /// Clusters ever begun in a class.
  func clusterCount(of id: ClassID, clusterSize: Int) -> Int {
    // Saving reads counters that nothing else believes.
    (Int(min(self[id].nextKey, 1 << 62)) + clusterSize - 1) / clusterSize
  }

  /// Returns true if most clusters of a class are empty for certain, so that what is made for each of its clusters must be made for those only that
  /// hold objects.
  ///
  /// - Parameter most: More objects than the file can hold: a damaged counter may say anything.
  func isSparse(_ id: ClassID, clusterSize: Int, most: Int) -> Bool {
    clusterCount(of: id, clusterSize: clusterSize)
      > max(Self.fewClusters, min(Int(clamping: self[id].count), most) / 16)
  }

  private static let fewClusters = 1_024

  /// Returns true if all keys that were given, and all objects, have a cluster: clusters have numbers of 32 bits.
  func isPossible(clusterSize: Int) -> Bool {
    let bound = (UInt64(1) << 32) * UInt64(clusterSize)
    return counters.allSatisfy { $0.nextKey <= bound && $0.count <= bound }
  }

  /// Returns true if the transactions up to a version, those that were cancelled between them included, can have given so many keys of a class.
  static func canHaveGiven(_ keys: UInt64, version: UInt64) -> Bool { keys >> 32 <= version }

  /// The record: with all counters, or with what says where those of very many classes are.
  func encode() -> [UInt8] {
    var record = RecordWriter()
    record.append(version)
    record.append(clock)
    record.append(logFloor)
    record.append(epoch)
    record.append(schemaVersionStamp)
    if isInParts {
      record.append(UInt64(counters.count) | Self.partsMark)
      record.append(words: parts.count) { parts[$0] }
    } else {
      record.append(UInt64(counters.count))
      record.append(words: 2 * counters.count) { $0 & 1 == 0 ? counters[$0 >> 1].nextKey : counters[$0 >> 1].count }
    }
    return CatalogSeal.seal(record.padded(), StoreLayout.stateWord)
  }

  /// Reads the record. Throws `.corrupted` when its checksum does not fit, or it names numbers that no store reaches.
  ///
  /// - Parameters:
  ///   - isTrusted: False takes what can be read of a damaged record, for what is saved of a store.
  ///   - known: A state of the same store: parts that were not written since are taken from it.
  ///   - part: Finds the record of a part by its key as a number.
  init(
    _ view: ByteView, isTrusted: Bool = true, known: CatalogState? = nil,
    part: (UInt64) throws -> [UInt8]? = { _ in nil }
  ) throws {
    try self.init(headOf: view, isTrusted: isTrusted)
    if isInParts { try readParts(known, isTrusted: isTrusted, part) }
    guard isTrusted else { return }
    guard counters.allSatisfy({ $0.nextKey <= Self.mostKeys && $0.count <= $0.nextKey }), version < .max, clock < .max
    else {
      throw Self.impossible
    }
  }

  /// Reads the record without parts: where there are any, all counters are zero.
  init(headOf view: ByteView, isTrusted: Bool = true) throws {
    var reader = RecordReader(CatalogSeal.open(view, StoreLayout.stateWord), name: "state")
    version = try reader.read()
    clock = try reader.read()
    logFloor = try reader.read()
    epoch = try reader.read()
    schemaVersionStamp = try reader.read()
    let word: UInt64 = try reader.read()
    let count = word & ~Self.partsMark
    guard count <= UInt64(UInt16.max) + 1 else {
      throw StorageError(.corrupted, "The state record of the catalog names \(count) classes.")
    }
    if word != count {
      let versions = try reader.take(words: Self.partCount(Int(count)))
      parts = (0..<Self.partCount(Int(count))).map { versions.load(8 &* $0, as: UInt64.self) }
      counters = Array(repeating: ClassCounters(), count: Int(count))
    } else {
      counters = Self.counters(try reader.take(words: 2 * Int(count)))
    }
    if isTrusted { try reader.finish() }
  }

  static func counters(_ words: ByteView) -> [ClassCounters] {
    (0..<words.count / 16).map { entry in
      ClassCounters(
        nextKey: words.load(16 &* entry, as: UInt64.self), count: words.load(16 &* entry &+ 8, as: UInt64.self))
    }
  }

  static var impossible: StorageError {
    StorageError(.corrupted, "The state record of the catalog counts what cannot be. Run `larder repair`.")
  }
}
