import LarderStorage
import LarderSyncProtocol

/// A write transaction of a store in which a device changes objects.
///
/// What goes wrong is kept in `failure`: nothing is changed from then on, and the transaction must not be committed.
final class ReplicaTransaction {
  let writer: StoreWriter
  let catalog: SyncCatalog
  private(set) var failure: (any Error)?
  /// The places of objects by name; nil for those that are not here.
  private var links: [ObjectName: ObjectLink?] = [:]
  /// The targets of links to objects that are not here.
  private var linkTargets: [ObjectName: ObjectLink] = [:]
  /// The places that objects had before this transaction, of those that may be elsewhere now.
  private var formerLinks: [ObjectName: ObjectLink] = [:]
  /// The values, in properties that the server does not have, of objects that this transaction has deleted.
  private var unknownValues: [ObjectName: [SyncProperty]] = [:]
  /// The values of the server that the store's schema cannot hold, and that were left out.
  private(set) var unfit: Set<UnfitValue> = []
  /// The number of values that were written.
  private(set) var writtenValues = 0

  /// The filter of the server's schema. What the server does not have stays as it is when an object becomes what the server says.
  private let filter: SchemaFilter?

  init(_ writer: StoreWriter, _ catalog: SyncCatalog, filter: SchemaFilter? = nil) {
    self.writer = writer
    self.catalog = catalog
    self.filter = filter
  }

  /// Does something unless something failed before.
  func attempt<Value>(_ fallback: Value, _ body: () throws -> Value) -> Value {
    guard failure == nil else { return fallback }
    do { return try body() } catch {
      failure = error
      return fallback
    }
  }

  func attempt(_ body: () throws -> Void) { attempt((), body) }

  /// Does something with a property, which is left as it is when the store's schema cannot hold the value.
  func leavingOut(_ value: SyncValue?, _ column: ColumnDescriptor, _ link: ObjectLink, _ body: () throws -> Void) throws
  {
    do { try body() } catch let error as StorageError where Self.misfits.contains(error.code) {
      noteUnfit(value, column, link)
    }
  }

  private static let misfits: [StorageError.Code] = [
    .typeMismatch, .nullForRequired, .valueTooLarge, .noSuchCollection,
  ]

  /// Notes that a value is left out.
  func noteUnfit(_ value: SyncValue?, _ column: ColumnDescriptor, _ link: ObjectLink) {
    unfit.insert(
      UnfitValue(
        className: catalog[link.classID]?.descriptor.name ?? "", property: column.name,
        kind: value?.kindName ?? "a collection"))
  }

  func count(_ values: Int = 1) { writtenValues += values }

  // MARK: - Objects

  /// Returns the place of an object; nil when it is not here.
  func link(of object: ObjectName) throws -> ObjectLink? {
    if let known = links[object] { return known }
    var found: ObjectLink?
    if let entry = catalog[object.className] {
      let key = try writer.object(entry.descriptor.id, primaryKey: StoredValue(object.key))
      found = key.map { ObjectLink(classID: entry.descriptor.id, key: $0) }
    }
    links[object] = .some(found)
    return found
  }

  /// Returns the place for what was kept of an object before this transaction: the place that the object had then, as far as this transaction has
  /// heard of it. The object may have been deleted since, and be in another place.
  func formerLink(of object: ObjectName) throws -> ObjectLink? { try formerLinks[object] ?? link(of: object) }

  /// Says where an object was, of which the store has commits that the device does not know. What was said first counts.
  func noteFormer(_ object: ObjectName, _ link: ObjectLink) {
    if formerLinks[object] == nil { formerLinks[object] = link }
  }

  /// Makes an object, which is not here. Where this transaction has deleted it, as when what waits is done again to what the server has, it gets back
  /// what the server does not know of.
  func create(_ object: ObjectName, _ entry: SyncCatalog.Entry) throws -> ObjectLink {
    let key = try writer.create(entry.descriptor.id, primaryKey: StoredValue(object.key))
    let link = ObjectLink(classID: entry.descriptor.id, key: key)
    linkTargets[object] = nil
    links[object] = link
    if let values = unknownValues.removeValue(forKey: object) { try assign(values, to: link, isNew: true) }
    return link
  }

  /// Deletes an object; links to it stay.
  func delete(_ object: ObjectName) throws {
    guard let link = try link(of: object) else { return }
    noteFormer(object, link)
    if filter != nil, let entry = catalog[object.className] {
      let unknown = Set(entry.columns.map { SyncText($0.name) }.filter { !isKnown($0, entry) })
      if !unknown.isEmpty {
        unknownValues[object] = try objects.properties(of: link).filter { unknown.contains($0.name) }
      }
    }
    links[object] = .some(nil)
    _ = try writer.deleteIfPresent(link.classID, link.key)
  }

  /// Returns the target of a link to an object, which need not be here; nil when its class is not known.
  func target(_ object: ObjectName) throws -> ObjectLink? {
    if let here = try link(of: object) { return here }
    if let known = linkTargets[object] { return known }
    guard let entry = catalog[object.className], entry.primaryKey != nil else { return nil }
    let key = try SyncWriting(writer).linkTarget(entry.descriptor.id, primaryKey: StoredValue(object.key))
    let link = ObjectLink(classID: entry.descriptor.id, key: key)
    linkTargets[object] = link
    return link
  }

  /// Returns true if the server has a property, as far as it has said what it has.
  func isKnown(_ property: SyncText, _ entry: SyncCatalog.Entry) -> Bool {
    filter?.knows(property, of: SyncText(entry.descriptor.name)) ?? true
  }

  /// Throws what went wrong.
  func finish() throws {
    if let failure { throw failure }
  }

  /// Reads objects with what this transaction has changed.
  var objects: StoredObjects {
    StoredObjects(reader: writer, catalog: catalog) { [writer] in try SyncWriting(writer).ghost($0) }
  }
}
