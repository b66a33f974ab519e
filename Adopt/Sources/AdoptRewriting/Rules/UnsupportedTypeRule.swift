import SwiftSyntax

/// Lists types that have no counterpart: the classes of Objective-C, SwiftUI's wrappers, synchronisation.
final class UnsupportedTypeRule: RuleVisitor {
  private static let wrappers: Set<String> = [
    "ObservedResults", "ObservedRealmObject", "StateRealmObject", "ObservedSectionedResults", "AsyncOpen", "AutoOpen",
  ]
  private static let sync: Set<String> = [
    "SyncConfiguration", "SyncSession", "SyncManager", "SyncUser", "SyncError", "SyncSubscriptionSet",
    "FlexibleSyncConfiguration",
    "AppConfiguration",
  ]
  private static let syncCalls: Set<String> = ["flexibleSyncConfiguration", "syncConfiguration", "syncSession"]

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
    if let name = NamedType(node.attributeName)?.libraryName, Self.wrappers.contains(name) {
      report(.swiftUI, node, "there are no wrappers for SwiftUI: observe, and hand values to the view")
    }
    return .visitChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    check(node.name)
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    check(node.baseName)
    if Self.syncCalls.contains(node.baseName.text) { report(.sync, node, "stores are local: remove it") }
    return .visitChildren
  }

  /// `list._rlmArray` is the list of Objective-C within one of Swift; the count and the elements of it are those of the list.
  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    guard Self.inner.contains(node.declName.baseName.text), let base = node.base else { return .visitChildren }
    let removal = Edit.delete(base.textRange.upperBound..<node.declName.textRange.upperBound)
    if case .collection = file.scope.inference.type(of: base), isCountOrElement(Syntax(node)) {
      edits.append(removal)
    } else {
      report(
        .oldClass, node, "collections have no part of Objective-C: ask the collection itself", suggestion: [removal])
    }
    return .visitChildren
  }

  private static let inner: Set<String> = ["_rlmArray", "_rlmSet", "_rlmCollection", "_rlmDictionary"]

  /// `.count` of a node, or an element of it by its place.
  private func isCountOrElement(_ node: Syntax) -> Bool {
    if let call = node.parent?.as(SubscriptCallExprSyntax.self) { return Syntax(call.calledExpression).id == node.id }
    return node.parent?.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "count"
  }

  // Initialisers that only Realm's own classes call are removed.
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    let parameters = node.signature.parameterClause.parameters
    let isRemoved = model(around: node) != nil && parameters.contains { $0.type.trimmedDescription.hasPrefix("RLM") }
    return isRemoved ? .skipChildren : .visitChildren
  }

  private func check(_ name: TokenSyntax) {
    let text = name.text
    if Self.sync.contains(text) {
      report(.sync, name, "stores are local: remove it")
    } else if text == "ListBase", !file.program.declaresSomewhere(text) {
      report(
        .oldClass, name, "Larder has no class that all lists derive from: take the protocol of all collections",
        suggestion: [file.edits.replace(name, by: "any RealmCollection")])
    } else if text.hasPrefix("RLM"), text.dropFirst(3).first?.isUppercase ?? false, text != "RLMGeospatial",
      !file.program.declaresSomewhere(text)
    {
      report(
        .oldClass, name,
        "Larder has no classes of Objective-C: take \(text.dropFirst(3)), or what it is used for, in Swift")
    }
  }
}
