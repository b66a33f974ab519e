import LarderStorage

/// The value that objects are sorted or told apart by.
package enum SortTarget: Hashable, Sendable {
  /// A property over to-one links.
  case path(BoundPath)
  /// A map's value, or one number over a collection: one value for each object.
  case operand(BoundOperand)
}

/// One criterion of a sort.
package struct SortKey: Hashable, Sendable {
  package var target: SortTarget
  package var isAscending: Bool
  package var collation: TextCollation

  package init(_ target: SortTarget, isAscending: Bool = true, collation: TextCollation = .binary) {
    self.target = target
    self.isAscending = isAscending
    self.collation = collation
  }

  package init(_ path: BoundPath, isAscending: Bool = true) { self.init(.path(path), isAscending: isAscending) }
}

/// An object's value for a criterion.
package struct SortValue: Hashable, Sendable {
  package var value: StoredValue
  /// True if a link on the way was nil.
  package var linkIsNil: Bool

  package init(_ value: StoredValue, linkIsNil: Bool = false) {
    self.value = value
    self.linkIsNil = linkIsNil
  }
}

extension RowEvaluator {
  /// An object's value for sorting and telling apart.
  package func sortValue(_ target: SortTarget, _ classID: ClassID, _ key: ObjectKey) throws -> SortValue {
    switch target {
    case .path(let path):
      let (value, linkIsNil) = try value(path, classID, key)
      return SortValue(value, linkIsNil: linkIsNil)
    case .operand(let operand): return SortValue(try value(operand, classID, key))
    }
  }
}

/// Compares the values of one criterion, in its direction.
package struct SortOrder {
  private let isAscending: Bool
  private let order: CollatedOrder

  package init(_ key: SortKey) {
    isAscending = key.isAscending
    order = CollatedOrder(key.collation)
  }

  package func compare(_ a: SortValue, _ b: SortValue) -> Int {
    let forward: Int
    if a.linkIsNil || b.linkIsNil {
      // A nil link sorts after every value, nil included.
      forward = a.linkIsNil == b.linkIsNil ? 0 : (a.linkIsNil ? 1 : -1)
    } else {
      forward = order.compare(a.value, b.value)
    }
    return isAscending ? forward : -forward
  }
}
