import SwiftSyntax

/// A file with all that rules need to know.
struct FileContext {
  let index: Int
  let source: SourceText
  let tree: SourceFileSyntax
  let program: Program

  var edits: SyntaxEdits { SyntaxEdits(source: source) }
  var scope: Scope { Scope(program: program) }
}
