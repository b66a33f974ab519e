import LarderStorage

/// A predicate with every name resolved and every constant converted, relative to the objects of one class.
package indirect enum BoundPredicate: Hashable, Sendable {
  case constant(Bool)
  case and([BoundPredicate])
  case or([BoundPredicate])
  case not(BoundPredicate)
  /// A scalar or to-one column against constants.
  case value(ColumnID, ValueTest)
  /// The object itself is one of these.
  case isObject(Set<ObjectKey>)
  /// The predicate holds for the linked object; `whenNil` is the answer without one.
  case through(LinkStep, BoundPredicate, whenNil: Bool)
  /// Some object of a list satisfies the predicate.
  case anyElement(ListStep, BoundPredicate)
  /// Some value of a list of primitives passes the test.
  case anyValue(ListStep, ValueTest)
  /// Column against column, subscripts, aggregates and SUBQUERY: one value on each side, one object at a time.
  case compare(BoundOperand, ComparisonOperator, TextOptions, BoundOperand)
  /// Sides of several values: one object at a time.
  case quantified(QuantifiedComparison)
  /// The object is shaped like a point that is in the area.
  case isWithin(PointColumns, GeoArea)
}

/// A comparison of all values of one side with all of the other.
package struct QuantifiedComparison: Hashable, Sendable {
  package var left: BoundOperand
  /// nil on both sides: the values are compared one with one, in order.
  package var leftQuantifier: Quantifier?
  package var operation: ComparisonOperator
  package var options: TextOptions
  package var right: BoundOperand
  package var rightQuantifier: Quantifier?

  package init(
    _ left: BoundOperand, _ leftQuantifier: Quantifier?, _ operation: ComparisonOperator, _ options: TextOptions,
    _ right: BoundOperand, _ rightQuantifier: Quantifier?
  ) {
    self.left = left
    self.leftQuantifier = leftQuantifier
    self.operation = operation
    self.options = options
    self.right = right
    self.rightQuantifier = rightQuantifier
  }
}

/// The columns in which a point keeps its kind and its coordinates: longitude, latitude.
package struct PointColumns: Hashable, Sendable {
  package var type: ColumnID
  package var coordinates: ColumnID

  package init(type: ColumnID, coordinates: ColumnID) {
    self.type = type
    self.coordinates = coordinates
  }
}

/// A hop over a to-one link.
package struct LinkStep: Hashable, Sendable {
  package var column: ColumnID
  package var target: ClassID

  package init(column: ColumnID, target: ClassID) {
    self.column = column
    self.target = target
  }
}

/// A hop into the elements of a collection.
package struct ListStep: Hashable, Sendable {
  /// The source of the elements.
  package enum Source: Hashable, Sendable {
    case list, set, mapValues, mapKeys
    /// The objects of a class whose column leads here, once for each link.
    case inverse(ClassID)
  }

  /// The collection; of an inverse, the column of the other class.
  package var column: ColumnID
  /// Class of the elements; nil for primitives.
  package var target: ClassID?
  package var elementType: ColumnType
  package var source: Source

  package init(column: ColumnID, target: ClassID?, elementType: ColumnType, source: Source = .list) {
    self.column = column
    self.target = target
    self.elementType = elementType
    self.source = source
  }

  /// True if the elements are objects that link here.
  package var isInverse: Bool { if case .inverse = source { true } else { false } }
}

/// A column reached over to-one links.
package struct BoundPath: Hashable, Sendable {
  package var links: [LinkStep]
  package var column: ColumnID
  package var type: ColumnType

  package init(links: [LinkStep] = [], column: ColumnID, type: ColumnType) {
    self.links = links
    self.column = column
    self.type = type
  }
}

/// A side of a comparison that is made one object at a time.
package indirect enum BoundOperand: Hashable, Sendable {
  case constant(StoredValue)
  case constants([StoredValue])
  case path(BoundPath)
  case reach(BoundReach)
  /// One number or value over all that is reached.
  case aggregate(BoundReach, AggregateOperator)
  /// Number of reached objects that satisfy the predicate.
  case count(BoundReach, BoundPredicate)
  case arithmetic(NumberOperation, BoundOperand, BoundOperand)
  case function(ValueFunction, BoundOperand)
}

extension BoundPredicate {
  /// Joins two predicates with AND, without nesting.
  package func and(_ other: BoundPredicate) -> BoundPredicate {
    switch (self, other) {
    case (.constant(true), _): other
    case (_, .constant(true)): self
    case (.and(let a), .and(let b)): .and(a + b)
    case (.and(let a), _): .and(a + [other])
    case (_, .and(let b)): .and([self] + b)
    default: .and([self, other])
    }
  }
}
