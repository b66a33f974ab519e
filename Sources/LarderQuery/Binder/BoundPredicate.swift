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
  /// Column against column, aggregates and SUBQUERY: one object at a time.
  case compare(BoundOperand, ComparisonOperator, TextOptions, BoundOperand)
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

/// A hop into a list.
package struct ListStep: Hashable, Sendable {
  package var column: ColumnID
  /// Class of the elements; nil for a list of primitives.
  package var target: ClassID?
  package var elementType: ColumnType

  package init(column: ColumnID, target: ClassID?, elementType: ColumnType) {
    self.column = column
    self.target = target
    self.elementType = elementType
  }
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
  case path(BoundPath)
  /// `links.list.@op` or `links.list.@op.element`.
  case aggregate(links: [LinkStep], ListStep, AggregateOperator, element: BoundPath?)
  /// Number of elements that satisfy the predicate.
  case count(links: [LinkStep], ListStep, BoundPredicate)
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
