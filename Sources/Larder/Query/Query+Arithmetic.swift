import LarderQuery

// Arithmetic between properties and constants. What is computed with nil is nil. Whole numbers wrap where they are too large;
// divided by zero they are nil, and quotients are cut to whole numbers, as in Swift.

extension Query where T: _QueryComputable {
  /// Sum of two properties.
  public static func + (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<T> { computed(.add, lhs.operand, rhs.operand) }
  /// Sum of a property and a value.
  public static func + (_ lhs: Query<T>, _ rhs: T) -> Query<T> {
    computed(.add, lhs.operand, QueryOperand(value: rhs))
  }
  /// Sum of a value and a property.
  public static func + (_ lhs: T, _ rhs: Query<T>) -> Query<T> {
    computed(.add, QueryOperand(value: lhs), rhs.operand)
  }

  /// Difference of two properties.
  public static func - (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<T> { computed(.subtract, lhs.operand, rhs.operand) }
  /// Difference of a property and a value.
  public static func - (_ lhs: Query<T>, _ rhs: T) -> Query<T> {
    computed(.subtract, lhs.operand, QueryOperand(value: rhs))
  }
  /// Difference of a value and a property.
  public static func - (_ lhs: T, _ rhs: Query<T>) -> Query<T> {
    computed(.subtract, QueryOperand(value: lhs), rhs.operand)
  }

  /// Product of two properties.
  public static func * (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<T> { computed(.multiply, lhs.operand, rhs.operand) }
  /// Product of a property and a value.
  public static func * (_ lhs: Query<T>, _ rhs: T) -> Query<T> {
    computed(.multiply, lhs.operand, QueryOperand(value: rhs))
  }
  /// Product of a value and a property.
  public static func * (_ lhs: T, _ rhs: Query<T>) -> Query<T> {
    computed(.multiply, QueryOperand(value: lhs), rhs.operand)
  }

  /// Quotient of two properties; of whole numbers a whole number, and nil of a division by zero.
  public static func / (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<T> { computed(.divide, lhs.operand, rhs.operand) }
  /// Quotient of a property and a value.
  public static func / (_ lhs: Query<T>, _ rhs: T) -> Query<T> {
    computed(.divide, lhs.operand, QueryOperand(value: rhs))
  }
  /// Quotient of a value and a property.
  public static func / (_ lhs: T, _ rhs: Query<T>) -> Query<T> {
    computed(.divide, QueryOperand(value: lhs), rhs.operand)
  }

  /// Remainder of two properties, with the sign of the number on the left; nil of a whole number and zero.
  public static func % (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<T> { computed(.remainder, lhs.operand, rhs.operand) }
  /// Remainder of a property and a value.
  public static func % (_ lhs: Query<T>, _ rhs: T) -> Query<T> {
    computed(.remainder, lhs.operand, QueryOperand(value: rhs))
  }
  /// Remainder of a value and a property.
  public static func % (_ lhs: T, _ rhs: Query<T>) -> Query<T> {
    computed(.remainder, QueryOperand(value: lhs), rhs.operand)
  }

  /// The number with the other sign.
  public static prefix func - (_ query: Query<T>) -> Query<T> {
    computed(.subtract, .constant(.value(.int(0))), query.operand)
  }
}

extension Query where T: _QueryInteger {
  /// Sum of a whole number and a number of another type.
  @_disfavoredOverload
  public static func + <U: _QueryComputable>(_ lhs: Query<T>, _ rhs: Query<U>) -> Query<U._WithInteger> {
    Query<U._WithInteger>.computed(.add, lhs.operand, rhs.operand)
  }
  /// Difference of a whole number and a number of another type.
  @_disfavoredOverload
  public static func - <U: _QueryComputable>(_ lhs: Query<T>, _ rhs: Query<U>) -> Query<U._WithInteger> {
    Query<U._WithInteger>.computed(.subtract, lhs.operand, rhs.operand)
  }
  /// Product of a whole number and a number of another type.
  @_disfavoredOverload
  public static func * <U: _QueryComputable>(_ lhs: Query<T>, _ rhs: Query<U>) -> Query<U._WithInteger> {
    Query<U._WithInteger>.computed(.multiply, lhs.operand, rhs.operand)
  }
  /// Quotient of a whole number and a number of another type.
  @_disfavoredOverload
  public static func / <U: _QueryComputable>(_ lhs: Query<T>, _ rhs: Query<U>) -> Query<U._WithInteger> {
    Query<U._WithInteger>.computed(.divide, lhs.operand, rhs.operand)
  }
  /// Remainder of a whole number and a number of another type.
  @_disfavoredOverload
  public static func % <U: _QueryComputable>(_ lhs: Query<T>, _ rhs: Query<U>) -> Query<U._WithInteger> {
    Query<U._WithInteger>.computed(.remainder, lhs.operand, rhs.operand)
  }
  /// Sum of a whole number and a floating-point value.
  @_disfavoredOverload
  public static func + (_ lhs: Query<T>, _ rhs: Double) -> Query<Double> {
    Query<Double>.computed(.add, lhs.operand, QueryOperand(value: rhs))
  }
  /// Sum of a floating-point value and a whole number.
  @_disfavoredOverload
  public static func + (_ lhs: Double, _ rhs: Query<T>) -> Query<Double> {
    Query<Double>.computed(.add, QueryOperand(value: lhs), rhs.operand)
  }
  /// Difference of a whole number and a floating-point value.
  @_disfavoredOverload
  public static func - (_ lhs: Query<T>, _ rhs: Double) -> Query<Double> {
    Query<Double>.computed(.subtract, lhs.operand, QueryOperand(value: rhs))
  }
  /// Difference of a floating-point value and a whole number.
  @_disfavoredOverload
  public static func - (_ lhs: Double, _ rhs: Query<T>) -> Query<Double> {
    Query<Double>.computed(.subtract, QueryOperand(value: lhs), rhs.operand)
  }
  /// Product of a whole number and a floating-point value.
  @_disfavoredOverload
  public static func * (_ lhs: Query<T>, _ rhs: Double) -> Query<Double> {
    Query<Double>.computed(.multiply, lhs.operand, QueryOperand(value: rhs))
  }
  /// Product of a floating-point value and a whole number.
  @_disfavoredOverload
  public static func * (_ lhs: Double, _ rhs: Query<T>) -> Query<Double> {
    Query<Double>.computed(.multiply, QueryOperand(value: lhs), rhs.operand)
  }
  /// Quotient of a whole number and a floating-point value.
  @_disfavoredOverload
  public static func / (_ lhs: Query<T>, _ rhs: Double) -> Query<Double> {
    Query<Double>.computed(.divide, lhs.operand, QueryOperand(value: rhs))
  }
  /// Quotient of a floating-point value and a whole number.
  @_disfavoredOverload
  public static func / (_ lhs: Double, _ rhs: Query<T>) -> Query<Double> {
    Query<Double>.computed(.divide, QueryOperand(value: lhs), rhs.operand)
  }
  /// Remainder of a whole number and a floating-point value.
  @_disfavoredOverload
  public static func % (_ lhs: Query<T>, _ rhs: Double) -> Query<Double> {
    Query<Double>.computed(.remainder, lhs.operand, QueryOperand(value: rhs))
  }
  /// Remainder of a floating-point value and a whole number.
  @_disfavoredOverload
  public static func % (_ lhs: Double, _ rhs: Query<T>) -> Query<Double> {
    Query<Double>.computed(.remainder, QueryOperand(value: lhs), rhs.operand)
  }
}

extension Query where T: _QueryReal {
  /// Sum of a floating-point number and a number of another type.
  @_disfavoredOverload
  public static func + <U: _QueryComputable>(_ lhs: Query<T>, _ rhs: Query<U>) -> Query<U._WithReal> {
    Query<U._WithReal>.computed(.add, lhs.operand, rhs.operand)
  }
  /// Difference of a floating-point number and a number of another type.
  @_disfavoredOverload
  public static func - <U: _QueryComputable>(_ lhs: Query<T>, _ rhs: Query<U>) -> Query<U._WithReal> {
    Query<U._WithReal>.computed(.subtract, lhs.operand, rhs.operand)
  }
  /// Product of a floating-point number and a number of another type.
  @_disfavoredOverload
  public static func * <U: _QueryComputable>(_ lhs: Query<T>, _ rhs: Query<U>) -> Query<U._WithReal> {
    Query<U._WithReal>.computed(.multiply, lhs.operand, rhs.operand)
  }
  /// Quotient of a floating-point number and a number of another type.
  @_disfavoredOverload
  public static func / <U: _QueryComputable>(_ lhs: Query<T>, _ rhs: Query<U>) -> Query<U._WithReal> {
    Query<U._WithReal>.computed(.divide, lhs.operand, rhs.operand)
  }
  /// Remainder of a floating-point number and a number of another type.
  @_disfavoredOverload
  public static func % <U: _QueryComputable>(_ lhs: Query<T>, _ rhs: Query<U>) -> Query<U._WithReal> {
    Query<U._WithReal>.computed(.remainder, lhs.operand, rhs.operand)
  }
}

extension Query where T: _QueryDecimal {
  /// Sum of a decimal number and a number of another type.
  @_disfavoredOverload
  public static func + <U: _QueryComputable>(_ lhs: Query<T>, _ rhs: Query<U>) -> Query<Decimal128> {
    Query<Decimal128>.computed(.add, lhs.operand, rhs.operand)
  }
  /// Difference of a decimal number and a number of another type.
  @_disfavoredOverload
  public static func - <U: _QueryComputable>(_ lhs: Query<T>, _ rhs: Query<U>) -> Query<Decimal128> {
    Query<Decimal128>.computed(.subtract, lhs.operand, rhs.operand)
  }
  /// Product of a decimal number and a number of another type.
  @_disfavoredOverload
  public static func * <U: _QueryComputable>(_ lhs: Query<T>, _ rhs: Query<U>) -> Query<Decimal128> {
    Query<Decimal128>.computed(.multiply, lhs.operand, rhs.operand)
  }
  /// Quotient of a decimal number and a number of another type.
  @_disfavoredOverload
  public static func / <U: _QueryComputable>(_ lhs: Query<T>, _ rhs: Query<U>) -> Query<Decimal128> {
    Query<Decimal128>.computed(.divide, lhs.operand, rhs.operand)
  }
  /// Remainder of a decimal number and a number of another type.
  @_disfavoredOverload
  public static func % <U: _QueryComputable>(_ lhs: Query<T>, _ rhs: Query<U>) -> Query<Decimal128> {
    Query<Decimal128>.computed(.remainder, lhs.operand, rhs.operand)
  }
}
