import LarderStorage
import LarderSyncProtocol

/// The classes whose objects are as if they were not synchronised, because the server does not have them, or did not until now (Y-49).
///
/// What is done to their objects is no operation of the device. When the server has a class, all its objects are sent as they are then. Of
/// properties that the server does not have in classes that it has, the same holds.
struct WithheldClasses: Hashable, Sendable {
  private static let stateName = "withheld"

  private(set) var names: Set<SyncText> = []
  /// The classes that the server has; nil before it has named any.
  private(set) var known: Set<SyncText>?
  /// Leaves the properties out of operations that the server does not have; nil before it has named any.
  private(set) var filter: SchemaFilter?
  /// The schema that the server sent last; nil before that.
  private(set) var schema: SyncSchema?
  private var bytes: [UInt8]?

  init() {}

  /// Brings the value up to what a store has, and takes up classes of the store that the server does not have.
  ///
  /// - Throws: `StorageError`, `SyncDecodingError`.
  mutating func refresh(_ state: SyncWriting, _ catalog: SyncCatalog) throws {
    let bytes = try state.state(ServerSchema.stateName)
    if bytes != self.bytes {
      schema = try bytes.map { try SyncSchema(decoding: $0) }
      known = schema.map { Set($0.classes.map(\.name)) }
      filter = schema.map { SchemaFilter($0) }
      self.bytes = bytes
    }
    names = []
    if let bytes = try state.state(Self.stateName) {
      var decoder = SyncDecoder(bytes)
      for _ in 0..<(try decoder.reader.count(eachAtLeast: 1)) { names.insert(try decoder.reader.text()) }
    }
    let unknown = self.unknown(in: catalog)
    if !unknown.isSubset(of: names) { try set(names.union(unknown), state) }
  }

  /// The classes of a store that the server does not have.
  func unknown(in catalog: SyncCatalog) -> Set<SyncText> {
    known.map { Set(catalog.names).subtracting($0) } ?? []
  }

  /// Notes that classes are withheld no more.
  mutating func release(_ classes: Set<SyncText>, _ state: SyncWriting) throws {
    try set(names.subtracting(classes), state)
  }

  private mutating func set(_ names: Set<SyncText>, _ state: SyncWriting) throws {
    self.names = names
    var encoder = SyncEncoder()
    encoder.writer.count(names.count)
    for name in names.sorted() { encoder.writer.text(name) }
    try state.setState(Self.stateName, names.isEmpty ? nil : encoder.writer.bytes)
  }
}
