import LarderStorage

/// A way to the objects of some conditions that does not look at all objects: an index of whatever kind.
///
/// A further kind of index is a type that conforms, and an `AccessSource` that offers it (`Planner.sources`).
protocol AccessPath {
  /// Positions of the conditions that it answers: it leads to all their objects and to no others.
  var answers: [Int] { get }
  /// Number of objects that it leads to, or an upper bound.
  var estimate: Int { get }
  /// Rough nanoseconds that finding their keys takes.
  var cost: Double { get }
  /// The node that explains it.
  var node: PlanNode { get }
  /// The objects, ascending, without duplicates.
  func find() throws -> [ObjectKey]
  /// Returns the number of objects, where that takes less than finding them.
  func count() throws -> Int?
}

extension AccessPath {
  func count() throws -> Int? { nil }
}

/// Offers the ways that one kind of index has to the objects of conditions.
protocol AccessSource: SendableMetatype {
  static func paths(for conditions: Conditions, _ context: ExecutionContext) throws -> [any AccessPath]
}

/// The conditions of one class that must all hold.
struct Conditions {
  let classID: ClassID
  let all: [BoundPredicate]
  /// Number of objects of the class.
  let objects: Int

  init(_ predicate: BoundPredicate, _ classID: ClassID, objects: Int) {
    self.classID = classID
    self.objects = objects
    all = Self.flattened(predicate)
  }

  private static func flattened(_ predicate: BoundPredicate) -> [BoundPredicate] {
    if case .and(let children) = predicate { children.flatMap { flattened($0) } } else { [predicate] }
  }

  /// Positions of the tests of a column.
  func tests(of column: ColumnID) -> [(position: Int, test: ValueTest)] {
    all.indices.compactMap { position in
      if case .value(column, let test) = all[position] { (position, test) } else { nil }
    }
  }

  /// The conditions without those that are answered; nil when there are no others.
  func remaining(without answers: [Int]) -> BoundPredicate? {
    if all.count == 1 { return answers.isEmpty ? all[0] : nil }
    let answered = Set(answers)
    let rest = all.indices.filter { !answered.contains($0) }.map { all[$0] }
    return rest.isEmpty ? nil : (rest.count == 1 ? rest[0] : .and(rest))
  }
}
