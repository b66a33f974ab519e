import LarderStorage

/// Finds the side that a text is about where properties of the right class of pairs are written with its name: `Weather.hour`, `Weather.windSpeed /
/// 2`.
extension GroupSource {
  /// The side that a text is about, and the text for it. What begins with no class is of the left one.
  ///
  /// - Throws: `PredicateError` for what is computed of both sides.
  package func side(_ text: String, _ schema: StoreSchema) throws(PredicateError) -> (side: Int, path: String) {
    guard case .pairs = self else { return (0, text) }
    let owners = classes.map { schema[$0] }
    return try Self.side(text) { name in
      owners[0]?.column(named: name) == nil ? owners.lastIndex { $0?.name == name } : nil
    }
  }

  /// The side that a text is about by the first names of its paths, and the text without these; spaces take their place where something is
  /// computed, so that positions of mistakes stay.
  ///
  /// - Parameter named: The side that a name means; nil for a property of the left one.
  package static func side(
    _ text: String, _ named: (String) -> Int?
  ) throws(PredicateError) -> (side: Int, path: String) {
    guard text.contains(".") else { return (0, text) }
    guard ValueExpression.isComputed(text) else {
      guard let dot = text.firstIndex(of: "."), let side = named(String(text[..<dot])) else { return (0, text) }
      return (side, String(text[text.index(after: dot)...]))
    }
    var found: Int?
    var bytes = Array(text.utf8)
    for path in try PredicateParser.parseOperand(text).paths {
      let qualified = path.components.count > 1 ? named(path.components[0].name) : nil
      guard found == nil || found == qualified ?? 0 else {
        throw PredicateError(
          .unsupportedOperator, "What is computed of pairs is of properties of one side", text: text, range: path.range)
      }
      found = qualified ?? 0
      guard qualified != nil else { continue }
      for place in path.components[0].range.lower..<path.components[1].range.lower { bytes[place] = UInt8(ascii: " ") }
    }
    return (found ?? 0, String(decoding: bytes, as: UTF8.self))
  }

  /// A text with a name before each of its paths; that before the whole of it where it does not parse.
  package static func qualified(_ text: String, by name: String) -> String {
    guard ValueExpression.isComputed(text), let operand = try? PredicateParser.parseOperand(text) else {
      return "\(name).\(text)"
    }
    var bytes = Array(text.utf8)
    for start in operand.paths.map(\.range.lower).sorted(by: >) { bytes.insert(contentsOf: "\(name).".utf8, at: start) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The key of a text; positions of mistakes are those in the text.
  package func key(_ text: String, in schema: StoreSchema) throws(PredicateError) -> GroupKey {
    let (side, path) = try side(text, schema)
    return try Self.located(path, text) { () throws(PredicateError) in
      try key(path, side: side, schema: schema, naming: .stored)
    }
  }

  /// The aggregate of a text; positions of mistakes are those in the text.
  package func aggregate(
    _ operation: GroupOperation, _ text: String, in schema: StoreSchema
  ) throws(PredicateError) -> GroupAggregate {
    let (side, path) = try side(text, schema)
    return try Self.located(path, text) { () throws(PredicateError) in
      try aggregate(operation, path, side: side, schema: schema, naming: .stored)
    }
  }

  private static func located<T>(
    _ path: String, _ text: String, _ body: () throws(PredicateError) -> T
  ) throws(PredicateError) -> T {
    do {
      return try body()
    } catch {
      var located = error
      if located.text == path, path.utf8.count == text.utf8.count { located.text = text }
      throw located
    }
  }
}

extension OperandNode {
  /// The paths that it is computed of, without those of subqueries.
  var paths: [KeyPathNode] {
    switch self {
    case .keyPath(let path): [path]
    case .constant, .set, .subquery: []
    case .arithmetic(_, let left, let right): left.paths + right.paths
    case .function(let call): call.argument.paths
    }
  }
}
