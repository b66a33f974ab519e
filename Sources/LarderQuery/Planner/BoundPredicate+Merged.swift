import LarderStorage

extension BoundPredicate {
  /// The same condition with `a == x OR a == y` as `a IN {x, y}`: one look-up for all of them.
  var merged: BoundPredicate {
    switch self {
    case .and(let children): return .and(children.map(\.merged))
    case .not(let child): return .not(child.merged)
    case .or(let children): return Self.merged(children)
    default: return self
    }
  }

  private static func merged(_ children: [BoundPredicate]) -> BoundPredicate {
    var sides: [BoundPredicate] = []
    /// The positions of the gathered tests, by column.
    var places: [ColumnID: Int] = [:]
    var values: [Int: [StoredValue]] = [:]
    for child in children {
      guard case .value(let column, let test) = child, test.options.isEmpty, test.type != .mixed,
        test.operation == .in || test.operation == .equal, !test.values.isEmpty
      else {
        sides.append(child.merged)
        continue
      }
      if let place = places[column] {
        values[place, default: []] += test.values
      } else {
        places[column] = sides.count
        values[sides.count] = test.values
        sides.append(child)
      }
    }
    for (place, values) in values {
      guard case .value(let column, let test) = sides[place], values.count > test.values.count else { continue }
      sides[place] = .value(column, ValueTest(test.type, .in, values))
    }
    return sides.count == 1 ? sides[0] : .or(sides)
  }
}
