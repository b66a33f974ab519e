import SwiftDiagnostics
import SwiftParser
import SwiftParserDiagnostics
import SwiftSyntax

/// The whole rewriting, without files: sources in, outcomes out.
package enum Adoption {
  /// A file as it was read.
  package struct Input: Sendable {
    package let path: String
    package let source: SourceText

    package init(path: String, source: SourceText) {
      self.path = path
      self.source = source
    }
  }

  /// Reads all files, so that classes are known wherever they are declared, and then rewrites each. A file with errors of syntax is left
  /// out of both.
  package static func run(_ inputs: [Input]) throws(EditConflict) -> [FileOutcome] {
    let parsed = inputs.map { parse($0) }
    let program = Program(parsed.map { $0.faults.isEmpty ? DeclarationCollector.facts(of: $0.tree) : FileFacts() })
    var outcomes: [FileOutcome] = []
    for (index, file) in parsed.enumerated() { outcomes.append(try outcome(of: file, index, program)) }
    return outcomes
  }

  private struct Parsed {
    let input: Input
    let tree: SourceFileSyntax
    let faults: [Finding]
  }

  private static func parse(_ input: Input) -> Parsed {
    let tree = input.source.bytes.withUnsafeBufferPointer { Parser.parse(source: $0) }
    let diagnostics = ParseDiagnosticsGenerator.diagnostics(for: tree).filter { $0.diagMessage.severity == .error }
    let faults = diagnostics.map { diagnostic in
      let offset = min(diagnostic.position.utf8Offset, input.source.count)
      return Finding(.syntaxError, offset..<offset, diagnostic.message)
    }
    return Parsed(input: input, tree: tree, faults: faults)
  }

  private static func outcome(of file: Parsed, _ index: Int, _ program: Program) throws(EditConflict) -> FileOutcome {
    let source = file.input.source
    guard file.faults.isEmpty else {
      return FileOutcome(
        path: file.input.path, state: .faulty, before: source, after: source, edits: EditList(), findings: file.faults)
    }
    let context = FileContext(index: index, source: source, tree: file.tree, program: program)
    let (edits, findings) = try Rules.apply(to: context)
    let after = edits.applied(to: source)
    return FileOutcome(
      path: file.input.path, state: after == source ? .unchanged : .changed, before: source, after: after, edits: edits,
      findings: findings)
  }
}
