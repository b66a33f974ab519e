import unittest

from .support import Sources  # noqa: F401  (sets the path)
from house.lexer import Lexed


class LexerTests(unittest.TestCase):
    def code(self, source):
        lexed = Lexed(source)
        self.assertEqual(len(lexed.code), len(source))
        self.assertEqual(lexed.code.count("\n"), source.count("\n"))
        return lexed.code.split()

    def test_comments(self):
        self.assertEqual(self.code("a // b\nc /* d /* e */ f */ g"), ["a", "c", "g"])
        self.assertEqual([text for _, text in Lexed("a // b\n/* c */").comments], ["// b", "/* c */"])

    def test_literals(self):
        self.assertEqual(self.code('let a = "b // c" + d'), ["let", "a", "=", "+", "d"])
        self.assertEqual(self.code(r'f("a\"b", c)'), ["f(", ",", "c)"])
        self.assertEqual(self.code('a = #"b"c\\(d)"# + e'), ["a", "=", "+", "e"])
        self.assertEqual(self.code('a = """\n  Box "b"\n  """ + c'), ["a", "=", "+", "c"])

    def test_interpolation(self):
        self.assertEqual(self.code(r'a = "b \(Box(c("d)"))) e" + f'), ["a", "=", "Box(c(", "))", "+", "f"])
        self.assertEqual(self.code(r'a = #"b \(c) \#(d)"#'), ["a", "=", "d"])
        self.assertEqual([text for _, text in Lexed(r'"b \(c) d"').strings], ["b ", " d"])

    def test_parentheses_of_code_balance(self):
        code = Lexed(r'f("\(g(1))", h("\(i)"))').code
        self.assertEqual(code.count("("), code.count(")"))

    def test_lines(self):
        self.assertEqual(Lexed("a\nb\nc").line(4), 3)
