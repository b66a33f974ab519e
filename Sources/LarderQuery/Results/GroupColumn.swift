import LarderStorage

/// The values that a column of groups has for the rows: those of a property, also over to-one links, or computed ones.
struct GroupColumn {
  private enum Source {
    case property(ColumnAccess, ends: [UInt64])
    case function(ValueFunction, BoundOperand)
    case computed(ComputedValues)
  }

  let context: ExecutionContext
  /// The objects of the rows.
  let side: Grouping.Side
  /// True if many rows may have one object, so that its value is looked at once.
  let isShared: Bool
  private let source: Source

  init(_ context: ExecutionContext, _ target: SortTarget, _ side: Grouping.Side, isShared: Bool) throws {
    (self.context, self.side) = (context, side)
    switch target {
    case .path(let path), .operand(.path(let path)):
      var (owner, ends) = (side.classID, side.objects)
      for link in path.links {
        ends = try context.follow(link, owner, ends)
        owner = link.target
      }
      source = .property(try ColumnAccess(context, owner, path.column), ends: ends)
      self.isShared = isShared || !path.links.isEmpty
    case .operand(let operand):
      if case .function(let function, let inner) = operand, function.type == .string {
        source = .function(function, inner)
      } else {
        source = .computed(try ComputedValues(context, side.classID, operand))
      }
      self.isShared = isShared
    }
  }

  /// A number for each row, the same for equal values.
  func numbers(_ values: inout DistinctValues) throws -> [Int32] {
    switch source {
    case .property(let access, let ends):
      guard isShared else { return try ends.map { values.number(of: try access.value($0)) } }
      var known: [UInt64: Int32] = [:]
      return try ends.map { end in
        if let number = known[end] { return number }
        let number = values.number(of: end == noKey ? .null : try access.value(end))
        known[end] = number
        return number
      }
    case .function(let function, let inner):
      // Texts repeat: the function is applied to each once.
      var given = DistinctValues()
      let column = try GroupColumn(context, .operand(inner), side, isShared: isShared)
      let numbers = try column.numbers(&given)
      let results = given.all.map { values.number(of: function.apply($0)) }
      return numbers.map { results[Int($0)] }
    case .computed(let computed):
      var numbers: [Int32] = []
      numbers.reserveCapacity(side.objects.count)
      try computed.forEach(side.objects, isShared: isShared) { _, value in numbers.append(values.number(of: value)) }
      return numbers
    }
  }

  /// Calls `body` with each row and its value, nil where there is no object.
  func forEachValue(_ body: (Int, StoredValue) throws -> Void) throws {
    switch source {
    case .property(let access, let ends):
      for (row, end) in ends.enumerated() where end != noKey { try body(row, try access.value(end)) }
    case .function(let function, let inner):
      let column = try GroupColumn(context, .operand(inner), side, isShared: isShared)
      try column.forEachValue { try body($0, function.apply($1)) }
    case .computed(let computed): try computed.forEach(side.objects, isShared: isShared, body)
    }
  }
}
