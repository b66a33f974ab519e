import Foundation
import LarderQuery
import LarderStorage

/// The classes of one Realm: their models, and a cursor for each that was used.
///
/// Confined like its Realm; that of a frozen one may be asked by several threads, and is guarded by a lock.
final class ClassTable: @unchecked Sendable {
  // Unchecked: the cursors are under the lock, the rest never changes.
  let models: [ModelClass]
  /// The table from property names to stored names; nothing to do unless a class renames some. Made at once: frozen Realms are read from many
  /// threads.
  let naming: PropertyNaming
  private let lock = NSLock()
  private var cursors: [ObjectIdentifier: _ClassCursor] = [:]
  /// Of classes as `DynamicObject`s, by name.
  private var dynamicCursors: [String: _ClassCursor] = [:]
  private var all: [_ClassCursor] = []

  init(_ models: [ModelClass]) {
    self.models = models
    naming = Self.naming(of: models)
  }

  func withLock<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }

  /// Has every cursor write through a transaction, or through none.
  func setWriter(_ writer: StoreWriter?) {
    for cursor in all { cursor.writer = writer }
  }

  /// Has every cursor forget its leaves: the Realm moved to another version.
  func reset() {
    for cursor in all { cursor.reset() }
  }

  /// Lets the cursors go of each other: the Realm ends.
  func forgetLinks() {
    for cursor in all { cursor.forgetOthers() }
  }

  /// The cursor of a class; throws when the class is not in the schema.
  func cursor(for type: ObjectBase.Type, in host: ObjectHost) throws -> _ClassCursor {
    lock.lock()
    defer { lock.unlock() }
    let identifier = ObjectIdentifier(type)
    if let found = cursors[identifier] { return found }
    guard let model = models.first(where: { $0.type == type }), let descriptor = host.schema[model.name] else {
      throw Realm.Error.invalid(
        "\(type.className()) is not in this Realm's schema; add it to objectTypes.", className: type.className())
    }
    let made = _ClassCursor(host, model: model, descriptor: descriptor)
    cursors[identifier] = made
    all.append(made)
    return made
  }

  /// The cursor that makes `DynamicObject`s of a class; nil when the store has no class of that name.
  func dynamicCursor(_ name: String, in host: ObjectHost) -> _ClassCursor? {
    lock.lock()
    defer { lock.unlock() }
    if let found = dynamicCursors[name] { return found }
    let schema = host.schema
    guard let descriptor = schema[name] else { return nil }
    let model = ModelClass.dynamic(descriptor, models.first { $0.name == name }, schema)
    let made = _ClassCursor(host, model: model, descriptor: descriptor)
    dynamicCursors[name] = made
    all.append(made)
    return made
  }

  private static func naming(of models: [ModelClass]) -> PropertyNaming {
    let isPlain = models.allSatisfy { model in
      model.inverses.isEmpty && model.properties.allSatisfy { $0.name == $0.columnName }
    }
    if isPlain { return .stored }
    let byName = Dictionary(models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return PropertyNaming(
      // Of a class that the program declares only the declared names may be used.
      storedName: { name, property in byName[name].map { $0.property(named: property)?.columnName } ?? property },
      names: { entry in
        byName[entry.name].map { ($0.properties + $0.inverses).map(\.name) } ?? entry.columns.map(\.name)
      },
      inverse: { name, property in
        guard let inverse = byName[name]?.inverse(named: property), let origin = inverse.originName,
          let className = inverse.objectClassName
        else { return nil }
        return (className, byName[className]?.property(named: origin)?.columnName ?? origin)
      })
  }
}
