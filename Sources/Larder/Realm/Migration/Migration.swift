import Foundation
import LarderStorage

/// Called when the stored schema version is lower than the configured one, with a migration in progress and the stored version.
///
/// An error that it throws ends the migration, leaves the store as it was and comes out of opening. (In RealmSwift it cannot throw.)
public typealias MigrationBlock = @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) throws -> Void

/// An object during a migration, with its properties by name.
public typealias MigrationObject = DynamicObject

/// Called with an object as it was and as it is going to be; one of them is nil where a class is in only one of the schemas.
public typealias MigrationObjectEnumerateBlock =
  (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) -> Void

/// A migration in progress: one write transaction that ends in the new schema, or in nothing.
///
/// Old objects have the stored names and values and cannot be changed. New objects have the names of the program's classes, and
/// everything that is declared: values of properties that stay, and for new properties what a new object would have. Belongs to the
/// block it was given to, and to its thread; its objects are invalid afterwards.
open class Migration: NSObject {
  private let run: MigrationRun

  init(_ run: MigrationRun) {
    self.run = run
    super.init()
  }

  /// The schema of the store as it was, with stored names.
  public var oldSchema: Schema { Schema(classes: run.oldModels) }
  /// The schema that is being opened.
  public var newSchema: Schema { Schema(classes: run.models) }

  /// Calls `block` with each object of a class that was there before the migration and still is, in the order of their creation.
  ///
  /// A class that is only in the old schema gives (old, nil), one that is only in the new one (nil, new) for the objects made so
  /// far, an unknown one nothing (M-57). The new object may be deleted; objects that the block makes are not visited. What `block`
  /// throws is thrown on.
  ///
  /// ```swift
  /// let configuration = Realm.Configuration(
  ///   fileURL: url, schemaVersion: 1,
  ///   migrationBlock: { migration, oldSchemaVersion in
  ///     if oldSchemaVersion < 1 {
  ///       migration.enumerateObjects(ofType: "Person") { old, new in
  ///         new?["name"] = (old?["name"] as? String)?.uppercased()
  ///       }
  ///     }
  ///   }, objectTypes: [Person.self, Dog.self])
  /// ```
  ///
  /// On the thread of the migration block. Costs a visit to each object.
  public func enumerateObjects(
    ofType typeName: String, _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) throws -> Void
  ) rethrows {
    try run.enumerate(typeName, block)
  }

  /// Makes an object of a class of the new schema; values that are left out are the class's defaults (M-60).
  ///
  /// Misuse for an unknown or embedded class and for values that do not fit; `throwing.create` throws instead.
  @discardableResult
  public func create(_ typeName: String, value: Any = [Any]()) -> MigrationObject {
    orMisuse { try run.create(typeName, value, isPlanned: false) }
  }

  /// Deletes an object; links to it become nil. Misuse for an object of the old schema.
  public func delete(_ object: MigrationObject) { orMisuse { try run.delete(object) } }

  /// Deletes all objects of a class. A class that is not in the new schema goes itself, which nothing else does (M-62).
  ///
  /// False when there is no such class. When a class that stays links to one that would go, opening throws.
  @discardableResult
  public func deleteData(forType typeName: String) -> Bool { run.noting { try run.deleteData(typeName) } ?? false }

  /// Lets the values of a property go on under another name, with index and primary key (M-63).
  ///
  /// Names are stored ones. When it cannot be, opening throws, and the store stays as it was (M-64, E-25); `throwing.renameProperty`
  /// throws at once. Objects got before see the property as it was without the renaming: get them again.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    run.renamePropertyLater(typeName, oldName, newName)
  }

  /// Lets the objects of a class go on under another name, with all links to them. Beyond RealmSwift (U-12).
  ///
  /// To be called before objects of the new class are made. When it cannot be, opening throws, and the store stays as it was;
  /// `throwing.renameClass` throws at once.
  public func renameClass(from oldName: String, to newName: String) {
    _ = run.noting { try run.renameClass(oldName, newName) }
  }
}

extension Migration: HasThrowingForms {}

extension Throwing<Migration> {
  /// `Migration.create(_:value:)` that throws for an unknown or embedded class, and for values that do not fit, however deep.
  @discardableResult
  public func create(_ typeName: String, value: Any = [Any]()) throws(Realm.Error) -> MigrationObject {
    try orRealmError { try base.verified { try $0.create(typeName, value, isPlanned: true) } }
  }

  /// `Migration.delete(_:)` that throws for an object of the old schema, and for one that is deleted.
  public func delete(_ object: MigrationObject) throws(Realm.Error) {
    try orRealmError { try base.verified { try $0.delete(object) } }
  }

  /// `Migration.deleteData(forType:)` that throws when another class links to one that would go.
  @discardableResult
  public func deleteData(forType typeName: String) throws(Realm.Error) -> Bool {
    try orRealmError { try base.verified { try $0.deleteData(typeName) } }
  }

  /// `Migration.renameProperty(onType:from:to:)` that throws at once.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) throws(Realm.Error) {
    try orRealmError { try base.verified { try $0.renameProperty(typeName, oldName, newName) } }
  }

  /// `Migration.renameClass(from:to:)` that throws at once.
  public func renameClass(from oldName: String, to newName: String) throws(Realm.Error) {
    try orRealmError { try base.verified { try $0.renameClass(oldName, newName) } }
  }
}

extension Migration {
  fileprivate func verified<Result>(_ body: (MigrationRun) throws -> Result) throws -> Result { try body(run) }
}
