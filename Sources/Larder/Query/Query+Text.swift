extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
  /// The whole text matches a pattern: `?` is one character, `*` any run of them.
  public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, value, options: caseInsensitive ? [.caseInsensitive] : [])
  }
  /// The text has the words that are searched for (U-15): `$0.body.fullText("swift linux -java")`.
  ///
  /// All words must occur, in any order; `swi*` asks for a word that begins so, `"to be"` for words that follow one another, `-java`
  /// that a word does not occur, `OR` between words for those before or those after it. Case and diacritics make no
  /// difference. Fast where the property has a full-text index (`indexed: .fullText`), else each text is looked at.
  public func fullText(_ search: String) -> Query<Bool> { compared(.text, search) }
  /// The text matches the pattern that another property holds.
  public func like<U>(_ column: Query<U>, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, with: column, options: caseInsensitive ? [.caseInsensitive] : [])
  }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
  /// Holds the text or bytes somewhere. Nothing holds what is nil or empty.
  public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, value, options: options)
  }
  /// Holds what another property holds.
  public func contains<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U: _Persistable, U.PersistedType: _QueryBinary {
    compared(.contains, with: column, options: options)
  }
  /// Begins with the text or bytes.
  public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, value, options: options)
  }
  /// Begins with what another property holds.
  public func starts<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, with: column, options: options)
  }
  /// Ends with the text or bytes.
  public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, value, options: options)
  }
  /// Ends with what another property holds.
  public func ends<U>(with column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, with: column, options: options)
  }
  /// Is the text or bytes.
  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, value, options: options)
  }
  /// Is what another property holds.
  public func equals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, with: column, options: options)
  }
  /// Is any other text or bytes.
  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, value, options: options)
  }
  /// Is not what another property holds.
  public func notEquals<U>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, with: column, options: options)
  }

  /// In the order of the bytes, which for text is that of Unicode's code points; case counts.
  public static func > (_ lhs: Query<T>, _ rhs: T) -> Query<Bool> { lhs.compared(.greater, rhs) }
  /// After another property.
  public static func > (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<Bool> { lhs.compared(.greater, with: rhs) }
  /// Not before a value.
  public static func >= (_ lhs: Query<T>, _ rhs: T) -> Query<Bool> { lhs.compared(.greaterOrEqual, rhs) }
  /// Not before another property.
  public static func >= (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<Bool> { lhs.compared(.greaterOrEqual, with: rhs) }
  /// Before a value; nil is in no order.
  public static func < (_ lhs: Query<T>, _ rhs: T) -> Query<Bool> { lhs.compared(.less, rhs) }
  /// Before another property.
  public static func < (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<Bool> { lhs.compared(.less, with: rhs) }
  /// Not after a value.
  public static func <= (_ lhs: Query<T>, _ rhs: T) -> Query<Bool> { lhs.compared(.lessOrEqual, rhs) }
  /// Not after another property.
  public static func <= (_ lhs: Query<T>, _ rhs: Query<T>) -> Query<Bool> { lhs.compared(.lessOrEqual, with: rhs) }
}
