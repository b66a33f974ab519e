import unittest

from .support import Sources  # noqa: F401  (sets the path)
from house import declarations
from house.lexer import Lexed

SOURCE = '''
public final class Outer: Base {
  // var none = 1
  let a = 1, b = 2
  @exclusivity(unchecked) final private(set) var c: [Int] = [] {
    didSet { d = c.count }
  }
  var d: Int { let local = 1; return local }
  lazy var e = { (x: Int) in x }(3)
  static let shared = Outer()
  class var kind: Int { 1 }
  private struct Inner {
    var one = 1
    var two = 2
  }
  init(_ f: String = "{ \\(1) }") throws {
    let inInit = f
  }
  func g<T>(_ h: () -> T) -> T
  where T: Equatable {
    h()
  }
}
extension Outer.Inner {
  func i() {}
}
fileprivate enum Hidden { case j }
protocol Demand {
  func k() -> Int
  var l: Int { get }
}
'''


class DeclarationTests(unittest.TestCase):
    def setUp(self):
        self.code = Lexed(SOURCE).code
        self.types = declarations.types(self.code)

    def test_types(self):
        self.assertEqual(
            [(t.kind, t.name, t.isPrivate, t.isNested) for t in self.types],
            [("class", "Outer", False, False), ("struct", "Inner", True, True), ("extension", "Outer.Inner", False, False),
             ("enum", "Hidden", True, False), ("protocol", "Demand", False, False)])

    def test_range(self):
        outer = self.code[self.types[0].start:self.types[0].end]
        self.assertTrue(outer.startswith("public final class Outer") and outer.endswith("}\n}"), outer[-20:])

    def test_stored_properties(self):
        self.assertEqual(declarations.storedProperties(self.code, self.types[0]), ["a", "b", "c", "e"])
        self.assertEqual(declarations.storedProperties(self.code, self.types[1]), ["one", "two"])
        self.assertEqual(declarations.storedProperties(self.code, self.types[4]), [])

    def test_functions(self):
        self.assertEqual([f.name for f in declarations.functions(self.code)], ["init", "g", "i"])
        last = [f for f in declarations.functions(self.code) if f.name == "g"][0]
        self.assertEqual(self.code[last.start:last.end].count("\n"), 3)
