import SwiftSyntax

/// All rules, in an order that does not matter: each sees the file as it was read.
enum Rules {
  static let all: [RuleVisitor.Type] = [
    ImportRule.self, ModuleNameRule.self, ModelClassRule.self, PropertyRule.self, NamedMethodRule.self,
    InitializerRule.self, StoredNamesRule.self, EnumRule.self, ProtocolRule.self, MemberAttributeRule.self,
    HolderUseRule.self, HolderTypeRule.self, NameOfPropertyRule.self, CatchRule.self, NSErrorCastRule.self,
    UnsupportedCallRule.self, UnsupportedTypeRule.self, UpdatePolicyRule.self, SuperInitRule.self, InMemoryRule.self,
  ]

  static func apply(to file: FileContext) throws(EditConflict) -> (edits: EditList, findings: [Finding]) {
    var edits: [Edit] = []
    var findings: [Finding] = []
    for rule in all {
      let visitor = rule.init(file)
      visitor.walk(file.tree)
      edits += visitor.edits
      findings += visitor.findings
    }
    findings.sort { ($0.range.lowerBound, $0.kind.rawValue) < ($1.range.lowerBound, $1.kind.rawValue) }
    return (try EditList(edits), findings)
  }
}
