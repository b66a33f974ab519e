import LarderStorage

/// The objects and values that a call is going to add or write. The first phase looks through all of it, to any depth, and throws for what does not
/// fit: types, keys that are taken, objects of other Realms, nesting that is too deep. The second, `apply()`, cannot fail for what the caller gave:
/// a call either throws and has changed nothing, or changes everything (E-0b, O-7).
///
/// Follows links by a list of its own, so that no chain of objects is too long for the stack.
struct AddPlan {
  /// A part of the input that the first phase has still to look at.
  enum Step {
    /// An unmanaged object that will be added.
    case object(ObjectBase, _ClassCursor, isOwned: Bool)
    /// A value that an object will be made or updated from.
    case value(Any, _ClassCursor, isOwned: Bool, depth: Int)
  }

  /// An object or value that the caller named; the plan keeps them in the caller's order.
  private enum Root {
    /// An object to add; of an existing row only some properties are updated where numbers are given.
    case object(ObjectBase, only: Set<Int>?)
    /// A value to make an object of a class from.
    case value(Any, _ClassCursor)
  }

  let host: ObjectHost
  let policy: Realm.UpdatePolicy
  private var roots: [Root] = []
  private var waiting: [Step] = []
  /// The nesting depth of the value in hand within the one that was given.
  private(set) var depth = 0
  var seen: Set<ObjectIdentifier> = []
  var claims = KeyClaims()
  /// Unmanaged objects whose properties values are tried on.
  var probes: [ClassID: ObjectBase] = [:]
  /// The unmanaged object that the value in hand is going to be, where its defaults were looked at.
  var made: ObjectBase?
  /// True if unmanaged objects are copied, as those in the input of `create` are (O-3), not added themselves.
  private(set) var copies = false
  /// Copies of other Realms' objects that unmanaged ones in the input lead to.
  var detaching: Detaching
  /// The objects that `create` is to fill, so that each declared default is evaluated once (O-21).
  var prepared = PreparedObjects()

  init(_ host: ObjectHost, _ policy: Realm.UpdatePolicy) {
    self.host = host
    self.policy = policy
    detaching = Detaching(keeping: host)
  }

  // MARK: - Looking

  /// Plans to add an unmanaged object; throws where it cannot be added.
  ///
  /// - Parameter only: Numbers of the properties that an existing row is updated in; nil for all.
  mutating func add(_ object: ObjectBase, only: Set<Int>? = nil) throws {
    roots.append(.object(object, only: only))
    waiting.append(.object(object, try host.verifiedCursor(for: type(of: object)), isOwned: false))
    try run()
  }

  /// Plans to make or update an object from a value; throws where it does not fit.
  mutating func create(_ value: Any, _ cursor: _ClassCursor) throws {
    roots.append(.value(value, cursor))
    copies = true
    waiting.append(.value(value, cursor, isOwned: false, depth: 0))
    try run()
  }

  /// Throws unless the property of a row can be set to the value; who asks writes it.
  mutating func set(_ value: Any, _ property: ModelProperty, _ cursor: _ClassCursor, _ row: ObjectKey? = nil) throws {
    try check(value, property, cursor)
    try run()
    guard let row, KeyClaims.areUniqueTogether(in: cursor), property.kind == .none, !property.isObject else { return }
    let new = property.accessor.converted(value, in: host)
    try claims.claim(cursor, row: row, primaryKey: nil) { column in
      let index = cursor.index(of: column)
      return index == property.index ? new ?? .null : cursor.value(index, row)
    }
  }

  /// Has a step looked at after the one in hand.
  mutating func enqueue(_ step: Step) { waiting.append(step) }

  private mutating func run() throws {
    while let step = waiting.popLast() {
      let before = waiting.count
      // What a step finds is looked at in the order in which the builder comes to it.
      defer { waiting[before...].reverse() }
      switch step {
      case .object(let object, let cursor, let isOwned): try check(object, cursor, isOwned)
      case .value(let value, let cursor, let isOwned, let depth):
        guard depth <= ObjectBuilder.maximumDepth else { throw ObjectBuilder.tooDeep(cursor.model) }
        self.depth = depth
        try check(value, cursor.typed ?? cursor, isOwned)
      }
    }
  }

  /// The row that will be updated instead of making one.
  func existing(_ key: StoredValue, _ cursor: _ClassCursor) throws -> ObjectKey? {
    policy == .error ? nil : try host.reader.object(cursor.classID, primaryKey: key)
  }

  /// Throws unless a managed object can be linked to.
  func checkManaged(_ object: ObjectBase) throws {
    guard object.host === host else { throw Realm.Error.otherRealm(object.model) }
    guard !object.isInvalidated else {
      throw Realm.Error.invalid(object.deletedMessage, className: object.model.name)
    }
  }

  // MARK: - Applying

  /// Adds and makes what was planned, and returns it in the order in which it was named. Throws only where the store itself cannot be read
  /// or written.
  ///
  /// - Parameter assignedOnly: Whether existing rows are updated only in the properties that were assigned.
  @discardableResult
  func apply(assignedOnly: Bool = false) throws -> [ObjectBase] {
    let builder = ObjectBuilder(host, policy: policy)
    return try host.adding(under: policy, assignedOnly: assignedOnly) {
      try roots.map { root in
        switch root {
        case .object(let object, let only):
          // One that another leads to is managed when its turn comes.
          if !object.isManaged { try builder.add(object, only: only) }
          return object
        case .value(let value, let cursor): return try builder.create(cursor, value, prepared)
        }
      }
    }
  }
}

extension ObjectHost {
  /// Makes or updates an object of a class from a value. Throws outside of a write transaction, for a policy that the class has no primary
  /// key for, and for a value that does not fit, however deep.
  ///
  /// - Parameter isPlanned: Whether a call that throws has changed nothing. Costs as much again as making the object.
  func create<T: ObjectBase>(
    _ value: Any, in cursor: _ClassCursor, _ policy: Realm.UpdatePolicy, isPlanned: Bool
  ) throws -> T {
    let name = cursor.model.name
    try verifyWriting { "Create \(name) inside realm.write { }." }
    try verifyPolicy(policy, cursor.model)
    guard let object = try make(value, in: cursor, policy, isPlanned: isPlanned) as? T else {
      throw Realm.Error.invalid("A \(name) could not be made.", className: name)
    }
    return object
  }

  private func make(
    _ value: Any, in cursor: _ClassCursor, _ policy: Realm.UpdatePolicy, isPlanned: Bool
  ) throws -> ObjectBase? {
    guard isPlanned else {
      return try adding(under: policy) { try ObjectBuilder(self, policy: policy).create(cursor, value) }
    }
    var plan = AddPlan(self, policy)
    try plan.create(value, cursor)
    return try plan.apply().first
  }
}
