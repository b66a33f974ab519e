import LarderQuery

extension Results {
  /// Runs the query once and says how: which indexes were used, what was scanned, how many objects each step found.
  ///
  /// Takes as long as the query, evaluated again, and a little more; nothing of it is kept. May be called where the Results may be
  /// used. Throws `Realm.Error` for Results of values, which no query finds, and when the file is damaged.
  ///
  /// ```swift
  /// print(try people.filter("name == 'Ada'").explain())
  /// ```
  ///
  /// On the Realm's thread.
  ///
  /// - Parameter limit: How many of the first results are wanted, as for `results.prefix(limit)`; nil: all.
  public func explain(limit: Int? = nil) throws(Realm.Error) -> QueryPlan {
    try orRealmError {
      let (query, _) = try state.objects("explained")
      return QueryPlan(try query.explain(in: state.host.reader, limit: limit ?? .max))
    }
  }
}
