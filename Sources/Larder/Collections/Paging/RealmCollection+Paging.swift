import LarderQuery
import LarderStorage

extension RealmCollection where Element: ObjectBase {
  /// The place just after an object in these results, to go on from there later, or in another process (U-9).
  ///
  /// The object is managed and of this class; it need not be among the results any more.
  /// - Throws: `Realm.Error` for results that are no objects of a class, filtered and sorted: after limit, offset and distinct, by
  ///   relevance, and of collections; for an object of elsewhere; for a sort by values of any type that are objects or collections.
  public func cursor(behind object: Element) throws(Realm.Error) -> ResultsCursor {
    try orRealmError { try resultsState("continued").cursor(behind: object) }
  }

  /// The results after a cursor, in the same order: the next page is `results.after(cursor).limit(50)`.
  ///
  /// Objects that came or moved before the cursor meanwhile are not among them, those that did after it are, and none comes twice
  /// that stayed in its place. Where an index has the order of the sort (and, if the order falls, the property is required), what
  /// is before the cursor costs nothing; else as much as sorting what is after it.
  /// - Throws: `Realm.Error` as `cursor(after:)` does, and for a cursor of another class or order.
  public func after(_ cursor: ResultsCursor) throws(Realm.Error) -> Results<Element> {
    try orRealmError { Results(try resultsState("continued").after(cursor)) }
  }

  /// The results after an object, in the same order: `results.after(page.last!).limit(50)`; see above.
  public func after(_ object: Element) throws(Realm.Error) -> Results<Element> {
    try orRealmError {
      let state = resultsState("continued")
      return Results(try state.after(try state.cursor(behind: object)))
    }
  }
}

extension ResultsState {
  func cursor(behind object: ObjectBase) throws -> ResultsCursor {
    let (query, _) = try objects("continued")
    guard !object.isInvalidated, let link = try host.knownLink(to: object), link.classID == query.classID else {
      throw Realm.Error.invalid("Results can be continued after an object of theirs only, not after \(object).")
    }
    let order = try query.orderText(host.schema)
    let cursor = ResultsCursor(try query.position(of: link.key, in: host.reader), order: order)
    guard cursor.hasText else {
      throw Realm.Error.invalid(
        "The results are sorted by values of any type; after objects and collections among them they cannot be continued."
      )
    }
    return cursor
  }

  func after(_ cursor: ResultsCursor) throws -> ResultsState {
    let (query, classCursor) = try objects("continued")
    guard ResultsCursor.hash(try query.orderText(host.schema)) == cursor.order else {
      throw Realm.Error.invalid(
        "The cursor belongs to results of another class or another order: sort as the results were that it comes from.")
    }
    return ResultsState(
      host, .objects(try query.continued(behind: cursor.position, schema: host.schema), classCursor), projection)
  }
}
