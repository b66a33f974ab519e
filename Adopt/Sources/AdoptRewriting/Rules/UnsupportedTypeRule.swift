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
    } else if text.hasPrefix("RLM"), text.dropFirst(3).first?.isUppercase ?? false, text != "RLMGeospatial" {
      report(
        .oldClass, name,
        "Larder has no classes of Objective-C: take \(text.dropFirst(3)), or what it is used for, in Swift")
    }
  }
}
