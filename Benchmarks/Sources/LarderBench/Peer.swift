/// One store of one product, filled and asked by the workloads. Used on one thread.
///
/// Every peer does the same work and answers with the same digest; the runner stops when two disagree.
protocol Peer: AnyObject {
  /// The name in the report.
  static var name: String { get }
  /// Creates an empty store in an empty directory, with indexes on age and name if asked.
  init(directory: String, indexed: Bool) throws

  /// All rows in one durable transaction.
  func insert(_ rows: [PersonRow]) throws
  /// Every property of every row.
  func readAll() throws -> Answer
  /// Each row by its primary key, its name read.
  func lookup(_ ids: [Int]) throws -> Answer
  /// Counts those that have `age > 50`.
  func countScan() throws -> Answer
  /// The ids where `name BEGINSWITH "ab" OR (score < 0.1 AND active)`.
  func compoundScan() throws -> Answer
  /// Counts those that have one of some names, of which there is no index.
  func countNames(_ names: [String]) throws -> Answer
  /// For each age, how many have it.
  func countIndexed(_ ages: [Int]) throws -> Answer
  /// Countries and cities that link to them, in one transaction.
  func insertCities(_ data: CityData) throws
  /// For each name of a country, how many cities link to a country of that name.
  func countCities(inCountries names: [String]) throws -> Answer
  /// Each row by its name, its id read.
  func lookupIndexed(_ names: [String]) throws -> Answer
  /// The ids of the first hundred by name.
  func top100() throws -> Answer
  /// All ids by age, then score.
  func sort2() throws -> Answer
  /// Sum, average, minimum and maximum of the scores.
  func aggregate() throws -> Answer
  /// New ages, in one durable transaction.
  func update(_ updates: [(id: Int, age: Int)]) throws
  /// Deletes rows one by one by primary key, in one durable transaction.
  func delete(_ ids: [Int]) throws
  /// Each row in a durable transaction of its own.
  func commitEach(_ rows: ArraySlice<PersonRow>) throws
  /// A new name of a row in a durable transaction of its own, for each; the rows are otherwise as they are.
  func commitNames(_ changes: [PersonRow]) throws
  /// Begins to follow the people below a score, by name; false when the peer has nothing to offer for this.
  func beginFollowing(scoreBelow limit: Double) throws -> Bool
  /// Changes names of matching people in one transaction, and says what it took from the beginning of its
  /// commit until the new result, with what changed in it, was known (some peers do that work inside of the
  /// commit).
  func changeAndFollow(_ changes: [(id: Int, name: String)]) throws -> Spent
  /// The order of ids as it is known now. Not timed.
  func followedMatches() throws -> Answer
  /// The query again, while it is followed: the ids of all people below the score, by name. Nil when there is nothing to offer.
  func rerun(scoreBelow limit: Double) throws -> Answer?
  /// Stops following.
  func endFollowing()
  /// Count, and sum of ids and of ages: what the store holds after changes. Not timed.
  func contents() throws -> Answer
  /// Size of the store on disk when everything is in its main file. Not timed.
  func fileBytes() throws -> Int
  /// Closes the store; it is not used afterwards.
  func close() throws
}

/// A failure of the benchmark itself: a peer answered wrongly, or its library reported an error.
struct BenchmarkError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
