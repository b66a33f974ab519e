import LarderExchange
import LarderInspection
import LarderStorage

/// The store that the pages look into.
package final class StudioStore: Sendable {
  package let store: Store
  /// The file that was named: of a `.realm` file the store is a temporary one.
  package let path: String
  package let isWritable: Bool

  /// Opens it.
  ///
  /// - Throws: `StorageError`, with the path and what to do in its message.
  package init(path: String, isWritable: Bool) throws {
    try StoreAccess.requireStore(path)
    store = isWritable ? try StoreAccess.open(writing: path) : try StoreAccess.open(reading: path)
    self.path = path
    self.isWritable = isWritable
  }

  /// A store that is open already.
  init(_ store: Store, isWritable: Bool) { (self.store, path, self.isWritable) = (store, store.path, isWritable) }

  /// The object that a path names: by its primary key, or by `#` and its object key.
  ///
  /// - Throws: `StorageError` when there is none.
  static func object(_ entry: ClassDescriptor, _ name: String, in snapshot: Snapshot) throws -> ObjectKey {
    guard name.hasPrefix("#"), let number = UInt64(name.dropFirst()) else {
      return try StoreAccess.object(entry, primaryKey: name, in: snapshot)
    }
    // A text may be a primary key of this form.
    if entry.primaryKey?.type == .string,
      let found = try? StoreAccess.object(entry, primaryKey: name, in: snapshot)
    {
      return found
    }
    let key = ObjectKey(rawValue: number)
    guard try snapshot.contains(entry.id, key) else {
      throw StorageError(
        .noSuchObject, "There is no object #\(number) of class '\(entry.name)'.", className: entry.name)
    }
    return key
  }
}
