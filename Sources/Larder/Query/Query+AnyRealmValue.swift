import LarderQuery

extension AnyRealmValue: _QueryNumeric {}

extension Query where T == AnyRealmValue {
  /// An element of a nested list; nil where there is none.
  public subscript(position: Int) -> Query<AnyRealmValue> { Query(path.appending(.position(Int64(position)))) }

  /// A value of a nested dictionary; nil where there is none.
  public subscript(key: String) -> Query<AnyRealmValue> { Query(path.appending(.key(key))) }

  /// Any element of a nested list, any value of a nested dictionary.
  public var any: Query<AnyRealmValue> { Query(path.appending(.any)) }
}
