import SwiftSyntax

/// The kind of a stored property of a model of the old style, as its type and its value say.
enum PropertyKind {
  /// A value or a link.
  case plain
  /// `List`, `MutableSet`, `Map`.
  case collection
  /// `LinkingObjects`: the class, and the expression that names the property.
  case inverse(element: String, origin: ExprSyntax)
  /// `LinkingObjects` in a form that does not say what it follows.
  case unreadableInverse
  /// `RealmOptional`, `RealmProperty`: the type of the property to be, and the expression of its value.
  case holder(type: String, value: String?)
  /// A holder in a form that does not say its type.
  case unreadableHolder

  init(_ binding: PatternBindingSyntax) {
    let annotated = binding.typeAnnotation.flatMap { NamedType($0.type) }
    let call = binding.initializer?.value.as(FunctionCallExprSyntax.self)
    let made = call.flatMap { NamedType($0.calledExpression) }
    guard let name = annotated?.libraryName ?? made?.libraryName else {
      self = .plain
      return
    }
    let arguments = annotated?.arguments.first == nil ? made?.arguments ?? [] : annotated?.arguments ?? []
    if Library.collections.contains(name) {
      self = arguments.isEmpty ? .plain : .collection
    } else if name == Library.inverse {
      self = Self.inverse(arguments, call)
    } else if Library.holders.contains(name) {
      self = Self.holder(name, arguments, call)
    } else {
      self = .plain
    }
  }

  var isHolder: Bool {
    switch self {
    case .holder, .unreadableHolder: true
    default: false
    }
  }

  var isCollection: Bool {
    switch self {
    case .collection, .inverse, .unreadableInverse: true
    default: false
    }
  }

  private static func inverse(_ arguments: [TypeSyntax], _ call: FunctionCallExprSyntax?) -> PropertyKind {
    guard let call, let type = call.arguments.first(where: { $0.label?.text == "fromType" })?.expression,
      let origin = call.arguments.first(where: { $0.label?.text == "property" })?.expression
    else { return .unreadableInverse }
    guard let access = type.as(MemberAccessExprSyntax.self), access.declName.baseName.text == "self",
      let base = access.base
    else { return .unreadableInverse }
    return .inverse(element: base.trimmedDescription, origin: origin)
  }

  private static func holder(
    _ name: String, _ arguments: [TypeSyntax], _ call: FunctionCallExprSyntax?
  ) -> PropertyKind {
    guard let argument = arguments.first, call?.arguments.count ?? 0 <= 1, call?.trailingClosure == nil else {
      return .unreadableHolder
    }
    let value = call?.arguments.first
    if value?.label != nil { return .unreadableHolder }
    let text = argument.trimmedDescription
    return .holder(type: name == "RealmOptional" ? text + "?" : text, value: value?.expression.trimmedDescription)
  }
}
