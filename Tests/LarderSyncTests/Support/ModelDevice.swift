import Foundation
import LarderStorage
import LarderSyncProtocol
import TestSupport

@testable import LarderSync

/// A store with an exchange over it, and what is on the way to and from its server. It can be killed: then only the file is left.
final class ModelDevice {
  static let classes = [
    ClassDeclaration(
      name: "Item",
      columns: [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true),
        ColumnDeclaration(name: "x", type: .int),
        ColumnDeclaration(name: "text", type: .string, isOptional: true),
        ColumnDeclaration(name: "texts", type: .string, collection: .list),
        ColumnDeclaration(name: "numbers", type: .int, collection: .set),
        ColumnDeclaration(name: "part", type: .link, target: "Part"),
      ], syncMode: .synced),
    ClassDeclaration(
      name: "Reading",
      columns: [
        ColumnDeclaration(name: "id", type: .int, isPrimaryKey: true), ColumnDeclaration(name: "x", type: .int),
        ColumnDeclaration(name: "notes", type: .string, collection: .list),
      ], syncMode: .asymmetric),
    ClassDeclaration(name: "Part", isEmbedded: true, columns: [ColumnDeclaration(name: "weight", type: .int)]),
  ]

  let directory: TemporaryDirectory
  private(set) var store: Store
  private(set) var exchange: Exchange
  var session: Int?
  var up: [[UInt8]] = []
  var down: [[UInt8]] = []
  var events: [EngineEvent] = []
  var endedWaits: [Int] = []
  /// The failures that ended sessions.
  var ends: [SyncFailure] = []
  /// The number of times that something went further.
  var progress = 0

  static func name(_ key: Int) -> ObjectName { ObjectName(className: "Item", key: .int(Int64(key))) }
  static func reading(_ key: Int) -> ObjectName { ObjectName(className: "Reading", key: .int(Int64(key))) }

  private let slices: SliceLimits
  private let configuration: EngineConfiguration

  init(_ slices: SliceLimits, _ configuration: EngineConfiguration) throws {
    self.slices = slices
    self.configuration = configuration
    directory = try TemporaryDirectory("device")
    store = try Self.open(directory)
    try Self.write(store) { try $0.apply(Self.classes, schemaVersion: 1) }
    exchange = Exchange(store, configuration, slices)
    try exchange.open()
  }

  /// A device with a store of its own that has what another one's has, which has to be at rest.
  init(copyOf other: ModelDevice) throws {
    (slices, configuration) = (other.slices, other.configuration)
    directory = try TemporaryDirectory("device")
    try FileManager.default.copyItem(
      atPath: other.directory.file("test.larder"), toPath: directory.file("test.larder"))
    store = try Self.open(directory)
    exchange = Exchange(store, configuration, slices)
    try exchange.open()
  }

  private static func open(_ directory: TemporaryDirectory) throws -> Store {
    var options = StoreOptions()
    options.clusterSize = 8
    options.durability = .none
    options.mapSize = 1 << 28
    return try Store.open(path: directory.file("test.larder"), options: options)
  }

  static func configuration(
    _ transport: any SyncTransport = MissingTransport(), _ tokens: any TokenSource = ModelTokens(["good"])
  ) -> EngineConfiguration {
    var configuration = EngineConfiguration(url: "ws://localhost/larder/sync/1", tokens: tokens, transport: transport)
    configuration.timeouts.leastBackOff = .milliseconds(5)
    configuration.timeouts.mostBackOff = .milliseconds(20)
    return configuration
  }

  @discardableResult
  static func write<Value>(_ store: Store, _ body: (StoreWriter) throws -> Value) throws -> Value {
    let writer = try store.beginWrite()
    do {
      let value = try body(writer)
      try writer.commit()
      return value
    } catch {
      writer.cancel()
      throw error
    }
  }

  /// Drops everything in memory, at any moment, and opens the file again.
  func kill(_ server: inout ModelServer) throws {
    disconnect(&server)
    exchange = Exchange(store, configuration)
    store = try Self.open(directory)
    exchange = Exchange(store, configuration, slices)
    try exchange.open()
  }

  // MARK: - The program

  /// A transaction of the program.
  func edit(_ body: (inout StoreReplica) throws -> Void) throws { try Self.edit(store, body) }

  static func edit(_ store: Store, _ body: (inout StoreReplica) throws -> Void) throws {
    try write(store) { writer in
      let transaction = ReplicaTransaction(writer, SyncCatalog(writer.base.schema))
      var replica = StoreReplica(transaction: transaction)
      try body(&replica)
      try transaction.finish()
    }
  }

  static func subscribe(_ store: Store, _ predicates: [String]) throws {
    try write(store) { writer in
      let state = try SyncWriting(writer)
      let record = try SubscriptionSetRecord.newest(in: state, path: store.path) ?? SubscriptionSetRecord()
      let subscriptions = predicates.map {
        SubscriptionRecord(name: nil, className: "Item", predicate: SyncText($0), createdAt: 1, updatedAt: 1)
      }
      try record.changed(to: subscriptions).write(to: state)
    }
  }

  func subscribe(_ predicates: String...) throws { try Self.subscribe(store, predicates) }

  var subscriptions: SubscriptionSetRecord {
    get throws { try SubscriptionSetRecord.newest(in: store.snapshot()) ?? SubscriptionSetRecord() }
  }

  /// The objects of the store, without names of elements and without properties that have no value.
  static func content(_ store: Store, of className: SyncText = "Item") throws -> [ObjectName: [String]] {
    let snapshot = try store.snapshot()
    let catalog = SyncCatalog(snapshot.schema)
    let objects = StoredObjects(reader: snapshot, catalog: catalog) { try snapshot.ghost($0) }
    var result: [ObjectName: [String]] = [:]
    guard let entry = catalog[className] else { return [:] }
    for number in 0..<snapshot.nextObjectKey(of: entry.descriptor.id).rawValue {
      let link = ObjectLink(classID: entry.descriptor.id, key: ObjectKey(rawValue: number))
      guard try snapshot.contains(link.classID, link.key), let name = try objects.name(of: link) else { continue }
      result[name] = try objects.properties(of: link).plain
    }
    return result
  }

  var content: [ObjectName: [String]] { get throws { try Self.content(store) } }

  /// The objects that wait to be sent and are not kept.
  var readings: [ObjectName] { get throws { try Self.content(store, of: "Reading").keys.sorted() } }

  // MARK: - The connection

  func connect(_ server: inout ModelServer) throws {
    guard session == nil else { return }
    while try exchange.step() {}
    session = server.connect()
    try exchange.greet("good")
    collect(&server)
  }

  func disconnect(_ server: inout ModelServer) {
    if let session { server.disconnect(session) }
    session = nil
    up = []
    down = []
    exchange.disconnect()
  }

  /// One step, or the next message from the server.
  ///
  /// - Returns: Whether there was something to do.
  func step(_ server: inout ModelServer) throws -> Bool {
    if try exchange.step() {
      collect(&server)
      return true
    }
    guard !down.isEmpty else { return false }
    exchange.receive(down.removeFirst())
    return true
  }

  func pump(_ server: inout ModelServer) throws {
    try exchange.pump()
    collect(&server)
  }

  func collect(_ server: inout ModelServer) {
    let output = exchange.takeOutput()
    up += output.frames
    events += output.events
    endedWaits += output.endedWaits
    if output.hasProgressed { progress += 1 }
    guard let end = output.end else { return }
    ends.append(end)
    disconnect(&server)
  }

  /// The server takes the next message of the device.
  func upload(_ server: inout ModelServer) {
    if let session, !up.isEmpty { server.receive(up.removeFirst(), session) }
  }

  /// The server sends its next message.
  ///
  /// - Returns: Whether it had one.
  func speak(_ server: inout ModelServer) -> Bool {
    guard let session, let message = server.take(session) else { return false }
    down.append(message)
    return true
  }
}

extension [SyncProperty] {
  /// The values that a program sees of them, as text.
  var plain: [String] {
    compactMap { property in property.value.plain.map { "\(property.name.string)=\($0)" } }.sorted()
  }
}

extension SyncValue {
  fileprivate var plain: String? {
    switch self {
    case .null, .int(0): nil
    case .list(let list): list.entries.isEmpty ? nil : "\(list.entries.map { $0.value.plain ?? "" })"
    case .set(let set): set.values.isEmpty ? nil : "\(set.values.map { $0.plain ?? "0" }.sorted())"
    case .embedded(let embedded): "\(embedded.properties.plain)"
    case .int(let number): "\(number)"
    case .string(let text): text.string
    default: "\(self)"
    }
  }
}
