import SwiftSyntax

/// Attributes of Objective-C on model classes and their extensions; a name given in one becomes the stored name.
final class ModelClassRule: RuleVisitor {
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    let path = path(of: node, named: node.name)
    guard file.program.isModel(path) else { return .visitChildren }
    if let name = node.attributes.attribute("objc")?.objectiveCName, name != node.name.plainText,
      !file.program.declaresStoredName(path)
    {
      insert(name, into: node, path)
    }
    remove(from: node.attributes)
    return .visitChildren
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let extended = NamedType(node.extendedType)?.path,
      let path = file.program.resolve(extended, from: TypePath([])), file.program.isModel(path)
    else { return .visitChildren }
    remove(from: node.attributes)
    return .visitChildren
  }

  private func remove(from attributes: AttributeListSyntax) {
    for name in ["objc", "objcMembers", "nonobjc"] {
      if let attribute = attributes.attribute(name) { edits.append(file.edits.remove(attribute)) }
    }
  }

  /// The stored name, as the first member of the class. Classes that derive from it inherit the method, but have names of their own.
  private func insert(_ name: String, into node: ClassDeclSyntax, _ path: TypePath) {
    let access = ["public", "open"].first { node.modifiers.has($0) } == nil ? "" : "public "
    let brace = node.memberBlock.leftBrace
    let indentation = file.source.memberIndentation(node.memberBlock)
    let newline = file.source.newline
    let isBase = node.modifiers.has("open") || file.program.hasSubclasses(path)
    let value = isBase ? "self == \(node.name.text).self ? \"\(name)\" : nil" : "\"\(name)\""
    let declaration = "\(indentation)\(access)override class func _realmObjectName() -> String? { \(value) }"
    let end = brace.textRange.upperBound
    let isAlone = file.source.isBlank(end..<file.source.lineEnd(at: end))
    let isEmpty = node.memberBlock.members.isEmpty
    let own = file.source.indentation(at: brace.textRange.lowerBound)
    let rest = isAlone ? (isEmpty ? "" : newline) : newline + (isEmpty ? own : indentation)
    edits.append(.insert(newline + declaration + rest, at: end))
  }
}

extension AttributeSyntax {
  /// The name of `@objc(Name)`.
  var objectiveCName: String? {
    guard let arguments else { return nil }
    let name = arguments.trimmedDescription
    return name.isEmpty || name.contains(":") ? nil : name
  }
}

extension SourceText {
  /// Returns the indentation of a block's members: that of the first one, else two spaces more than the block's own line.
  func memberIndentation(_ block: MemberBlockSyntax) -> String {
    let own = indentation(at: block.leftBrace.textRange.lowerBound)
    guard let first = block.members.first else { return own + (own.hasPrefix("\t") ? "\t" : "  ") }
    let start = first.textRange.lowerBound
    let isOnOwnLine = isBlank(lineStart(at: start)..<start)
    return isOnOwnLine ? indentation(at: start) : own + "  "
  }
}
