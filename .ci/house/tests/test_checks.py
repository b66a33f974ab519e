import os
import unittest

from .support import CheckCase, Sample
from house import changes, doccomments, forms, imports, layers, promises, rules, sizes, walks, words


class ImportTests(CheckCase):
    def test_only_what_the_table_permits(self):
        files = {
            "Sources/Low/a.swift": "import Foundation\nimport High\n// import Other\n@_spi(X) public import struct Deep.Thing\n",
            "Sources/New/b.swift": "import Foundation\n",
        }
        self.assertBreaches(
            imports.check(Sample(files, layers={"Low": {"imports": []}})), "a.swift:2: Low may not import High",
            "a.swift:4: Low may not import Deep", "a new target")


class LayerTests(CheckCase):
    FILES = {
        "Sources/T/Low/Low.swift": 'struct Low { var high: _High?; let text = "Mid" /* Mid */ }\nfunc f<Mid: Equatable>(_: Mid) {}\n',
        "Sources/T/Mid/Mid.swift": "struct Mid {\n  struct High {}\n  var low: Low, own: High\n}\n",
        "Sources/T/High/High.swift": "struct _High { var low: Low; var mid: Mid }\nstruct High {}\n",
    }

    def check(self, **entry):
        return layers.check(Sample(self.FILES, layers={"T": {"imports": [], "folders": ["Low", "Mid", "High"]} | entry}))

    def test_upward_references_by_name(self):
        self.assertBreaches(self.check(circle=3), "Low.swift:1: Low is below High and names _High", "upward is 1, which is more than 0")

    def test_ratchet(self):
        self.assertBreaches(self.check(circle=3, upward=1))
        self.assertBreaches(self.check(circle=3, upward=2), "upward is 1, which is better than; lower it from 2")
        self.assertBreaches(self.check(circle=4, upward=1), "circle is 3, which is better than; lower it from 4")

    def test_every_folder_has_a_place(self):
        self.assertIn("a new folder", self.check(circle=3, upward=1, folders=["Low", "High"])[0])

    def test_circles(self):
        edges = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": set()}
        self.assertEqual(sorted(sorted(c) for c in layers.components("abcde", edges)), [["a", "b", "c"], ["d"], ["e"]])


class SizeTests(CheckCase):
    def files(self, lines, properties):
        members = "".join(f"  var p{n} = {n}\n" for n in range(properties))
        body = "  // a comment\n\n" + "  func f() {}\n" * lines
        return {"Sources/T/A.swift": f"struct A {{\n{members}}}\n", "Sources/T/A+B.swift": "extension A {\n" + body + "}\n"}

    def test_a_type_counts_with_its_extensions_and_without_comments(self):
        limit = sizes.TYPE_LINES - 4 - 2
        self.assertBreaches(sizes.check(Sample(self.files(limit, 2))), "A+B.swift:1: 598 lines; at most 400")
        found = sizes.check(Sample(self.files(limit + 1, 2)))
        self.assertIn("A has 601 lines with its extensions", found[1])

    def test_nested_types_count_by_themselves(self):
        inner = "extension A {\n  struct B {\n" + "    // a\n    var x: Int { 0 }\n" * 300 + "  }\n}\n"
        more = "extension A.B {\n" + "  var y: Int { 0 }\n" * 300 + "}\n"
        found = sizes.check(Sample({"Sources/T/A.swift": "struct A {\n  var a = 1\n}\n", "Sources/T/B.swift": inner, "Sources/T/C.swift": more}))
        self.assertEqual([f for f in found if "extensions" in f], [f for f in found if "A.B has 604 lines" in f])
        self.assertEqual(len([f for f in found if "A.B has 604 lines" in f]), 1)

    def test_stored_properties(self):
        self.assertBreaches(sizes.check(Sample(self.files(1, 15))))
        self.assertBreaches(sizes.check(Sample(self.files(1, 16))), "A has 16 stored properties")

    def test_what_is_listed_may_only_shrink(self):
        def check(stored, listed):
            return sizes.check(Sample(self.files(1, stored), sizes={"types": {"T.A": {"stored": listed}}}))

        self.assertBreaches(check(17, 17))
        self.assertBreaches(check(18, 17), "more than the 17")
        self.assertBreaches(check(16, 17), "lower it from 17")
        self.assertBreaches(check(15, 17), "take it out of the list")

    def test_functions(self):
        long = "func f() {\n" + "  g()\n" * 39 + "}\n"
        self.assertBreaches(sizes.check(Sample({"Sources/T/a.swift": long})), "f has 41 lines; at most 40")
        listed = {"functions": {"Sources/T/a.swift:f": 40, "Sources/T/b.swift:g": 50}}
        self.assertBreaches(
            sizes.check(Sample({"Sources/T/a.swift": long}, sizes=listed)), "more than the 40", "b.swift:g is within its limit now")


class RuleTests(CheckCase):
    LISTS = {".ci/unsafe-files": "# why\nSources/Larder/Low/ # reads in place\n", ".ci/system-files": "Sources/LarderLMDB/ # files\n"}

    def check(self, path, text):
        return rules.check(Sample(self.LISTS | {path: text}))

    def test_pointers(self):
        self.assertBreaches(self.check("Sources/Larder/a.swift", "let a: UnsafeRawPointer\n"), "a.swift:1: unsafe pointers")
        self.assertBreaches(self.check("Sources/Larder/a.swift", 'let a = "Unmanaged" // Unmanaged\n'))
        self.assertBreaches(self.check("Sources/Larder/Low/a.swift", "let a: UnsafeRawPointer\n"))

    def test_c_library(self):
        self.assertBreaches(self.check("Sources/Larder/a.swift", "import Glibc\n"), "the C library")
        self.assertBreaches(self.check("Sources/LarderLMDB/a.swift", "import Glibc\n"))

    def test_printing_and_forcing(self):
        self.assertBreaches(self.check("Sources/Larder/a.swift", "print(1)\nx.print(1)\ntry! f()\n"), "a.swift:1: libraries", "a.swift:3: errors")

    def test_locks_and_parameters(self):
        self.assertBreaches(self.check("Tests/T/a.swift", "let a = Mutex(1)\n"), "Mutex")
        self.assertBreaches(self.check("Sources/T/a.swift", "OSSL_PARAM_construct_end()\n"), "CryptoParameters")

    def test_unchecked_sendable(self):
        self.assertBreaches(self.check("Sources/T/a.swift", "final class A: @unchecked Sendable {\n  var a = 1\n}\n"), "needs its reason")
        self.assertBreaches(self.check("Sources/T/a.swift", "final class A: @unchecked Sendable {\n  // Unchecked: why.\n}\n"))
        self.assertBreaches(self.check("Sources/T/a.swift", "// Unchecked: why.\nfinal class A: @unchecked Sendable {\n}\n"))

    def test_paths_of_one_machine(self):
        self.assertBreaches(self.check("docs/a.md", "see /" + "home/me\n"), "a.md:1: a path of one machine")


class DocCommentTests(CheckCase):
    def undocumented(self, source):
        return [text for _, _, text in doccomments.undocumented({"a.swift": source})]

    def test_public_declarations(self):
        self.assertEqual(self.undocumented("/// A.\npublic struct A {\n  public var b = 1\n  var c = 1\n}\n"), ["public var b = 1"])
        self.assertEqual(self.undocumented("public enum A {\n  case b\n  /// C.\n  case c\n}\n"), ["public enum A {", "case b"])
        self.assertEqual(self.undocumented("/// A.\n@frozen\npublic struct A {}\n"), [])

    def test_what_a_documented_demand_asks_for(self):
        demand = "/// P.\npublic protocol P {\n  /// F.\n  func f(of a: Int)\n}\n"
        self.assertEqual(self.undocumented(demand + "extension A {\n  public func f(of a: Int) {}\n  public func f(by a: Int) {}\n}\n"),
                         ["public func f(by a: Int) {}"])

    def test_what_speaks_for_itself(self):
        self.assertEqual(self.undocumented(
            "extension A {\n  public init() {}\n  public func hash(into hasher: inout Hasher) {}\n  public static func == (a: A, b: A) -> Bool {}\n"
            "  public subscript(position: Int) -> Int { 1 }\n  public func _hidden() {}\n  public override var c: Int { 1 }\n}\n"), [])


class FormTests(CheckCase):
    FILES = {
        "Sources/T/a.swift": "/// What it is.\n/// How it works.\nstruct A {\n  /// Whether it is open.\n  var b = 1\n  // What else.\n  /// The rest.\n  var c = 1\n}\n",
        "Benchmarks/Sources/B/b.swift": "/// As before.\nlet b = 1\n/// Asks.\nlet c = 1\n",
        "Fixtures/f.swift": "/// What it is.\nlet f = 1\n",
        "docs/a.md": "/// What it is.\n",
    }

    def check(self, **entries):
        return forms.check(Sample(self.FILES, forms={name.replace("_", "/"): count for name, count in entries.items()}))

    def test_first_lines_of_doc_comments(self):
        self.assertBreaches(
            self.check(), "b.swift:1: a doc comment begins with a clause: As before.", "Benchmarks has 1 clauses, more than 0", "a.swift:1: ",
            "a.swift:4: a doc comment begins with a clause: Whether it is open.", "Sources/T has 2 clauses, more than 0")

    def test_ratchet(self):
        self.assertBreaches(self.check(Sources_T=2, Benchmarks=1))
        self.assertBreaches(self.check(Sources_T=1, Benchmarks=1), "a.swift:1", "a.swift:4", "Sources/T has 2 clauses, more than 1")
        self.assertBreaches(self.check(Sources_T=3, Benchmarks=1), 'Sources/T has 2 clauses, fewer than 3: write "Sources/T" = 2')

    def test_folders_without_clauses_leave_the_list(self):
        self.assertBreaches(
            self.check(Sources_T=2, Benchmarks=1, Server=4, Tests_T=0), "Server has 0 clauses, fewer than 4: take it out of the list",
            "Tests/T has no clauses: take it out of the list")

    def test_links_to_other_folders_do_not_count(self):
        sample = Sample(self.FILES, forms={"Sources/T": 2, "Benchmarks": 1})
        os.symlink(sample.path("Sources/T/a.swift"), sample.path("Benchmarks/a.swift"))
        self.assertBreaches(forms.check(sample))


class WordTests(CheckCase):
    def check(self, **entry):
        files = {
            "Sources/T/a.swift": "// It is gone.\nlet gone = f(\"gone \\(gone)\") // `gone`\n",
            "docs/a.md": "gone\n```\ngone\n```\n",
        }
        return words.check(Sample(files, words={"gone": {"say": "deleted"} | entry}))

    def test_comments_literals_and_documentation(self):
        self.assertBreaches(
            self.check(), "a.swift:1: 'gone': say deleted", "a.swift:2", "a.md:1", "'gone' is there 3 times, more than 0")

    def test_ratchet(self):
        self.assertBreaches(self.check(left=3))
        self.assertBreaches(self.check(left=4), "fewer than; lower it from 4")


class WalkTests(CheckCase):
    SOURCE = {"Sources/T/A.swift": "struct A {\n  init(b: Int) {}\n  func walk() {}\n  // func gone() {}\n}\n"}

    def check(self, *hops, limit=3):
        page = f"# Walks\n\n## A walk (at most {limit} hops)\n\n| hop | file | function | what happens |\n| --- | --- | --- | --- |\n"
        return walks.check(Sample(self.SOURCE | {"docs/walks.md": page + "".join(f"| {hop} |\n" for hop in hops)}))

    def test_files_and_functions(self):
        self.assertBreaches(self.check("1 | `T/A.swift` | `walk` | it walks", "2 | `T/A.swift` | `init` | it begins"))
        self.assertBreaches(
            self.check("1 | `T/B.swift` | `walk` | it walks", "2 | `T/A.swift` | `gone` | it went"), "there is no file Sources/T/B.swift",
            "A.swift declares no gone")

    def test_numbers_and_limit(self):
        hop = "`T/A.swift` | `walk` | it walks"
        self.assertBreaches(self.check(f"1 | {hop}", f"3 | {hop}", limit=1), "hop 3 is the 2.", "A walk has more than 1 hops")
        self.assertBreaches(self.check("1 | walk"), "a hop has a number")


class ChangeTests(CheckCase):
    FILES = {
        "Sources/T/A.swift": "struct A {\n  enum Kind { case one }\n  init(b: Int) {}\n  func walk() { self.run() }\n  let text = \"gone\"\n}\n",
        "Sources/T/Kind.swift": "enum Kind {\n  case first, second\n  case `in` = 3\n  func f() { switch self { case .third: gone() } }\n}\n",
        "docs/a.md": "# A page\n\n## A part\n",
    }

    def check(self, *lines):
        page = "# A change\n\n" + "".join(f"{line}\n" for line in lines)
        return changes.check(Sample(self.FILES | {"docs/changes/a.md": page}))

    def test_files_and_declarations(self):
        self.assertBreaches(self.check(
            "1. **new** `Sources/T/A.swift`: `A`, `walk`,", "   `text`, `init`. It walks.", "2. **compiler** `Sources/T/Kind.swift`: `first`, `second`, `in`.",
            "3. **text** `docs/a.md`: `A part`. See `Sources/T/` and `T/B.swift`."))

    def test_files_that_are_not_there(self):
        self.assertBreaches(
            self.check("1. **new** `Sources/T/B.swift`: `B`. It is new.", "", "See `docs/b.md`,", "and `Tests/T/`."),
            "a.md:3: there is no Sources/T/B.swift", "a.md:5: there is no docs/b.md", "a.md:5: there is no Tests/T/")

    def test_declarations_that_are_not_there(self):
        self.assertBreaches(
            self.check(
                "1. **new** `Sources/T/A.swift`: `gone`, `run`.", "2. **silent** `Sources/T/Kind.swift`: `third`, `firs`, `init`.",
                "3. **text** `docs/a.md`: `Another part`.", "", "It is as in `Sources/T/A.swift`: `fly`, and in `T/A.swift`: `walk`, and `Sources/T`: `A`."),
            "a.md:3: Sources/T/A.swift has no `gone`", "has no `run`", "a.md:4: Sources/T/Kind.swift has no `third`", "has no `firs`",
            "has no `init`", "a.md:5: docs/a.md has no `Another part`", "a.md:7: Sources/T/A.swift has no `fly`",
            "T/A.swift is no path from the root", "Sources/T is a folder")

    def test_form_of_steps(self):
        self.assertBreaches(
            self.check(
                "1. **new** `Sources/T/A.swift`: `A`.", "3. **new** `Sources/T/A.swift`: `A`.", "3. `Sources/T/A.swift`: `A`.", "4. **loud** `docs/a.md`: `A`.",
                "5. **text** `docs/a.md` has more."),
            "a.md:4: step 3 is the 2.", "a.md:5: a step says how its place shows itself", "a.md:6: a step says how", "a.md:7: a step names a file")

    def test_size(self):
        self.assertBreaches(self.check("a" * changes.COLUMNS, *["b"] * (changes.LINES - 3)))
        self.assertBreaches(
            self.check("a" * (changes.COLUMNS + 1), *["b"] * (changes.LINES - 2)), "131 lines; at most 130", "a.md:3: 101 columns; at most 100")

    def test_other_pages_are_free(self):
        self.assertEqual(changes.check(Sample(self.FILES | {"docs/a.md": "1. `Sources/T/C.swift`: `C`\n"})), [])


class PromiseTests(CheckCase):
    FILES = {
        "Tests/T/Grid/GridTests.swift": 'struct GridTests {\n  @Test("cells say \\"nil\\" | nothing") func cells() {}\n  @Test func rows() {}\n}\n',
        "Tests/T/Limits/LimitTests.swift": '@Test("a limit") func limit() {}\n',
        "Server/Tests/S/LimitTests.swift": '@Test("a limit of the server") func limit() {}\n',
        "Adopt/Tests/A/FormTests.swift": '@Test("a form") func form() {}\n',
        "Tests/Studio/test_keys.py": "class Keys:\n    def test_enter(self):\n        pass\n",
        ".ci/check-hour": "#!/bin/sh\n",
        "Sources/T/Wire.swift": "struct Wire {}\n",
    }

    def check(self, *cells):
        rows = "".join(f"| it does | {cell} |\n" for cell in cells)
        page = f"# Grid\n\n## A part\n\n| Promise | Test |\n| --- | --- |\n{rows}"
        return promises.check(Sample(self.FILES | {"docs/promises/Grid.md": page}))

    def test_what_is_there(self):
        self.assertBreaches(self.check(
            r'`GridTests.swift`: "cells say \"nil\" \| nothing", `rows`', "`test_keys.py`: `test_enter`<br>`.ci/check-hour`",
            '`FormTests.swift`: "a form"<br>`S/LimitTests.swift`: `limit()`', "by construction: `Wire.swift`"))

    def test_files_that_are_not_there_once(self):
        self.assertBreaches(
            self.check('`RowTests.swift`: "a row"', '`LimitTests.swift`: "a limit"', "`Wire.swift`: `Wire`", "by construction: `GridTests.swift`"),
            "Grid.md:7: there is no file RowTests.swift", "Grid.md:8: LimitTests.swift is the name of 2 files",
            "Grid.md:9: there is no file Wire.swift", "Grid.md:10: there is no file GridTests.swift")

    def test_tests_that_are_not_in_their_file(self):
        self.assertBreaches(
            self.check('`GridTests.swift`: "cells", `row`', '`S/LimitTests.swift`: "a limit"', "`test_keys.py`: `test_ente`"),
            'GridTests.swift has no "cells"', "GridTests.swift has no `row`", 'S/LimitTests.swift has no "a limit"', "has no `test_ente`")

    def test_rows_without_a_test(self):
        self.assertBreaches(
            self.check("", "GridTests", "`GridTests.swift`", "`test_keys.py`", '`GridTests.swift`: a title', "`GridTests.swift`: `rows` | more"),
            "'' names no test", "'GridTests' names no test", "which test of GridTests.swift?", "which test of test_keys.py?",
            "names no test", "a row has two cells")

    def test_other_pages_have_other_tables(self):
        self.assertEqual(promises.check(Sample(self.FILES | {"docs/a.md": "| a | b |\n"})), [])


if __name__ == "__main__":
    unittest.main()
