/// The object that an operation changes: one with a primary key, or an embedded object by the way to it from the object that owns it (L-20).
package struct OperationObject: Hashable, Sendable {
  /// From an owner to an embedded object of it.
  package struct Step: Hashable, Sendable {
    /// The place within the property.
    package enum Place: Hashable, Sendable {
      /// The property holds one object.
      case single
      /// Counts elements whose object is missing.
      case position(Int)
      case key(String)
    }

    package var column: ColumnID
    package var place: Place
    /// The embedded object itself: another one in the same place has another key.
    package var object: ObjectLink

    package init(column: ColumnID, place: Place, object: ObjectLink) {
      self.column = column
      self.place = place
      self.object = object
    }
  }

  /// The top-level object.
  package var root: ObjectLink
  /// Of that; null where the class has none.
  package var primaryKey: StoredValue
  /// Empty for the top-level object itself.
  package var steps: [Step]

  package init(root: ObjectLink, primaryKey: StoredValue, steps: [Step] = []) {
    self.root = root
    self.primaryKey = primaryKey
    self.steps = steps
  }

  /// The object that is changed.
  package var target: ObjectLink { steps.last?.object ?? root }
}

/// A property of an object that is created.
package struct OperationProperty: Hashable, Sendable {
  package var column: ColumnID
  package var value: OperationValue
  /// It holds the default of its declaration and was not given (L-16).
  package var isDefault: Bool

  package init(column: ColumnID, value: OperationValue, isDefault: Bool) {
    self.column = column
    self.value = value
    self.isDefault = isDefault
  }
}

/// A property, or a list or dictionary within its mixed values by the path to that.
package struct OperationPlace: Hashable, Sendable {
  package var column: ColumnID
  package var path: [MixedStep]

  package init(column: ColumnID, path: [MixedStep] = []) {
    self.column = column
    self.path = path
  }
}

/// The changes that one commit made to one object, with values: synchronisation uploads them (L-13).
package struct StoreOperation: Hashable, Sendable {
  /// The change of the operation.
  package enum Change: Hashable, Sendable {
    /// A new object with its single values, without the primary key; its collections follow as insertions of their own.
    case create(CreateIntent, [OperationProperty])
    /// With everything it owns.
    case delete
    case set(ColumnID, OperationValue)
    /// A number was added to the property (L-19).
    case add(ColumnID, StoredValue)
    /// An insertion or replacement has as many values as elements, other edits none. Derived edits are not among them.
    case list(OperationPlace, ListEdit.Action, [OperationValue])
    case insertIntoSet(ColumnID, [OperationValue])
    case removeFromSet(ColumnID, [OperationValue])
    case clearSet(ColumnID)
    case put(OperationPlace, key: String, OperationValue)
    case removeKey(OperationPlace, key: String)
    case clearMap(OperationPlace)
    /// Any object of the class may have changed in any way, as in a migration (L-26). The object is of no meaning.
    case everything
  }

  package var object: OperationObject
  package var change: Change
  /// Elements or keys of the collection before the change; 0 for what changes none.
  package var sizeBefore: Int
  /// The elements are the default of the declaration.
  package var isDefault: Bool

  package init(_ object: OperationObject, _ change: Change, sizeBefore: Int = 0, isDefault: Bool = false) {
    self.object = object
    self.change = change
    self.sizeBefore = sizeBefore
    self.isDefault = isDefault
  }
}
