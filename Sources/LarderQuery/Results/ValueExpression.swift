import LarderStorage

/// A value that is worked out of an object's properties: `distance / airTime`, `hour(date, 'Europe/Berlin')`.
package struct ValueExpression: Hashable, Sendable {
  /// The expression as it was written.
  package let text: String
  package let operand: BoundOperand
  /// Type of the values, apart from nil; values of any type where one of the properties has them.
  package let type: ColumnType

  /// Reads a text and binds it to the objects of a class. A property over to-one links by itself is an expression, too.
  ///
  /// Throws `PredicateError`, with the place in the text, for what cannot be computed and for what leads through a collection.
  package init(
    _ text: String, _ arguments: [PredicateArgument] = [], of classID: ClassID, schema: StoreSchema,
    naming: PropertyNaming = .stored, dialect: PredicateDialect = .format
  ) throws(PredicateError) {
    let node = ConstantFolding.folded(try PredicateParser.parseOperand(text, arguments, dialect: dialect), dialect)
    let binder = Binder(schema: schema, naming: naming, text: text, dialect: dialect)
    let found = try ExpressionBinder(binder: binder).operand(node, classID)
    guard !found.isToMany else {
      throw binder.scope.fail(.quantifier, "'\(text)' leads through a collection", node.range, expected: "one value")
    }
    self.text = text
    operand = found.operand
    type = found.type ?? .mixed
  }

  /// The value of one object; nil where a part of it is. Throws `StorageError`.
  package func value(of key: ObjectKey, _ classID: ClassID, in reader: any StoreReader) throws -> StoredValue {
    try RowEvaluator(reader).value(operand, classID, key)
  }

  /// The same, where no property of the class is called so.
  static func isComputed(_ text: String, of classID: ClassID, in schema: StoreSchema) -> Bool {
    isComputed(text) && schema[classID]?.column(named: text) == nil
  }

  /// Returns true if a text computes something, and does not only name a property: it has a parenthesis or an operator outside of brackets and
  /// quotes.
  package static func isComputed(_ text: String) -> Bool {
    var brackets = 0
    var quote: UInt8?
    for byte in text.utf8 {
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "]"): brackets -= 1
      case UInt8(ascii: "'"), UInt8(ascii: "\""): if brackets == 0 { quote = byte }
      case UInt8(ascii: "("), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"),
        UInt8(ascii: "%"):
        if brackets == 0 { return true }
      default: break
      }
    }
    return false
  }
}
