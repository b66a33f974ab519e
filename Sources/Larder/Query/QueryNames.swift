import LarderLocks
import LarderStorage

/// The names of properties that conditions were written with before: tracing a key path makes an object, and a program asks for the same few
/// key paths again and again.
///
/// A key path is known by its identity: the ones that are written in a program are made once. Those that are made at run time push others out,
/// as do key paths that share a place. Safe for any thread; a bounded number of key paths is kept.
final class QueryNames: Sendable {
  /// The names and the kind of the property that a key path leads to.
  struct Name: Sendable {
    /// Property names with dots between them.
    let text: String
    /// True if it leads to a collection.
    let isCollection: Bool
  }

  private struct Entry: @unchecked Sendable {
    // Unchecked: it keeps the key path, which never changes, so that no other gets its address.
    let keyPath: AnyKeyPath
    let name: Name
  }

  static let shared = QueryNames()

  private let entries = Lock<[Entry?]>(Array(repeating: nil, count: CachePolicy.queryNames))

  /// The name of a property: as it was found before, or as it is traced now.
  func name<Root: ObjectBase, Value>(of keyPath: KeyPath<Root, Value>) -> Name {
    name(of: keyPath, Value.self) { _name(for: keyPath) }
  }

  /// The same for a key path whose root is known at run time only.
  func name<Value>(of keyPath: AnyKeyPath, _ value: Value.Type, trace: () -> String) -> Name {
    let place = Int(bitPattern: ObjectIdentifier(keyPath)) >> 4 & (CachePolicy.queryNames - 1)
    let known = entries.withLock { entries -> Name? in
      guard let entry = entries[place], entry.keyPath === keyPath else { return nil }
      return entry.name
    }
    if let known { return known }
    let isCollection = Value.self is any RealmCollectionBase.Type || Value.self is any RealmKeyedCollection.Type
    let entry = Entry(keyPath: keyPath, name: Name(text: trace(), isCollection: isCollection))
    // What it replaces is let go of outside of the lock.
    let replaced = entries.withLock { entries -> Entry? in
      defer { entries[place] = entry }
      return entries[place]
    }
    withExtendedLifetime(replaced) {}
    return entry.name
  }
}
