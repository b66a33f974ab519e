/// The nodes, levels and elements that one walk has come to: a sound tree refers to each of its nodes once.
struct Visits {
  /// No tree has more levels.
  static let mostLevels = 64
  /// No collection holds collections more levels deep.
  static let mostNested = 100
  /// No value is made of more elements.
  static let mostElements = 1 << 24

  /// The number of levels of trees that the walk is in, those of collections in collections added up: they use the stack.
  private var levels = 0
  private var seen: Set<Int> = []
  /// The place of the value that is being read, of those that are in no other value.
  var place = 0
  /// The number of links in values of any type to objects that never arrived, by the value's place.
  var unresolved: [Int: Int] = [:]
  private var elements = 0

  /// Refuses a node that was visited before.
  mutating func enter(_ offset: Int, _ reader: NodeReader) throws {
    guard seen.insert(offset).inserted else { throw reader.damaged("a node is part of a tree twice", at: offset) }
  }

  /// Does something one level further down.
  mutating func descend<Result>(_ offset: Int, _ reader: NodeReader, _ body: (inout Visits) throws -> Result) throws
    -> Result
  {
    guard levels < Self.mostLevels else { throw reader.damaged("trees have too many levels", at: offset) }
    levels += 1
    defer { levels -= 1 }
    return try body(&self)
  }

  /// Counts elements that are kept in memory at once.
  mutating func keep(_ count: Int, _ reader: NodeReader) throws {
    elements += count
    guard elements <= Self.mostElements else {
      throw reader.damaged("a value has more than \(Self.mostElements) elements")
    }
  }
}
