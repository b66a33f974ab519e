// What `@Persisted` says of types that cannot be stored (F-138). Each of these is chosen only where no other initialiser fits.

extension Persisted {
  /// A type of the program's own that nothing says how to store.
  @available(*, unavailable, message: "Let the type conform to CustomPersistable, an enum to PersistableEnum")
  public init() { misuse("This type cannot be stored.") }

  /// A type of the program's own that nothing says how to store.
  @available(*, unavailable, message: "Let the type conform to CustomPersistable, an enum to PersistableEnum")
  public init(wrappedValue value: Value) { misuse("This type cannot be stored.") }
}

extension Persisted where Value: RawRepresentable {
  /// An enum that does not say that it can be stored.
  @available(*, unavailable, message: "Let the enum conform to PersistableEnum: enum Size: String, PersistableEnum")
  public init() { misuse("This type cannot be stored.") }

  /// An enum that does not say that it can be stored.
  @available(*, unavailable, message: "Let the enum conform to PersistableEnum: enum Size: String, PersistableEnum")
  public init(wrappedValue value: Value) { misuse("This type cannot be stored.") }
}

extension Persisted where Value: RangeReplaceableCollection {
  /// An array.
  @available(*, unavailable, message: "Arrays are stored as lists: write List<String> instead of [String]")
  public init() { misuse("This type cannot be stored.") }

  /// An array.
  @available(*, unavailable, message: "Arrays are stored as lists: write List<String> instead of [String]")
  public init(wrappedValue value: Value) { misuse("This type cannot be stored.") }
}

extension Persisted where Value: SetAlgebra {
  /// A set of Swift's.
  @available(*, unavailable, message: "Sets are stored as mutable sets: write MutableSet<String>")
  public init() { misuse("This type cannot be stored.") }

  /// A set of Swift's.
  @available(*, unavailable, message: "Sets are stored as mutable sets: write MutableSet<String>")
  public init(wrappedValue value: Value) { misuse("This type cannot be stored.") }
}

extension Persisted where Value: ExpressibleByDictionaryLiteral {
  /// A dictionary.
  @available(*, unavailable, message: "Dictionaries are stored as maps: write Map<String, Int>")
  public init() { misuse("This type cannot be stored.") }

  /// A dictionary.
  @available(*, unavailable, message: "Dictionaries are stored as maps: write Map<String, Int>")
  public init(wrappedValue value: Value) { misuse("This type cannot be stored.") }
}
