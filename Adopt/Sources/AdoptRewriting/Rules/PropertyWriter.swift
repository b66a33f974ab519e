import SwiftSyntax

/// Writes one declaration of stored properties with `@Persisted`, each property in a declaration of its own.
final class PropertyWriter {
  private let file: FileContext
  private let node: VariableDeclSyntax
  private let model: TypePath
  private(set) var edits: [Edit] = []
  private(set) var findings: [Finding] = []

  init(file: FileContext, node: VariableDeclSyntax, model: TypePath) {
    self.file = file
    self.node = node
    self.model = model
  }

  /// Kinds of the bindings in their order; nil for one that is not stored.
  func write(_ kinds: [PropertyKind?]) {
    for (index, binding) in node.bindings.enumerated() {
      if let kind = kinds[index] { write(binding, kind) }
      shareType(binding, index)
    }
    let wrappers = zip(node.bindings, kinds).map { binding, kind in
      kind.flatMap { wrapper(of: binding, $0) }
    }
    writeHead(wrappers[0] ?? nil)
    for index in wrappers.indices.dropFirst() { split(at: index, wrappers[index] ?? nil) }
  }

  /// `@Persisted` with what it says of the property; nil for one that is left as it is.
  private func wrapper(of binding: PatternBindingSyntax, _ kind: PropertyKind) -> String? {
    switch kind {
    case .unreadableHolder, .unreadableInverse: return nil
    case .inverse(_, let origin):
      let text = PropertyNameReading.name(origin).map { "\"\($0)\"" } ?? Library.renamed(origin.trimmedDescription)
      return "@\(Library.wrapper)(originProperty: \(text))"
    case .plain, .collection, .holder:
      let name = binding.name ?? ""
      if removable(.primaryKey).contains(name) { return "@\(Library.wrapper)(primaryKey: true)" }
      if removable(.indexedProperties).contains(name) { return "@\(Library.wrapper)(indexed: true)" }
      return "@\(Library.wrapper)"
    }
  }

  private func removable(_ method: NamedMethod) -> [String] { file.program.wrappedNames(method, of: model) }

  /// The attribute and the words before the first property.
  private func writeHead(_ wrapper: String?) {
    let dynamic = node.modifiers.first { $0.name.text == "dynamic" }
    let attribute = node.attributes.attribute("objc")
    guard let wrapper else {
      if let attribute { edits.append(file.edits.remove(attribute)) }
      if let dynamic { edits.append(file.edits.remove(dynamic)) }
      return
    }
    if let attribute {
      edits.append(file.edits.replace(attribute, by: wrapper))
      if let dynamic { edits.append(file.edits.remove(dynamic)) }
    } else if let dynamic, node.modifiers.first?.id == dynamic.id {
      edits.append(file.edits.replace(dynamic, by: wrapper))
    } else {
      edits.append(.insert(wrapper + " ", at: node.firstModifier.textRange.lowerBound))
      if let dynamic { edits.append(file.edits.remove(dynamic)) }
    }
    if node.bindingSpecifier.text == "let" { edits.append(file.edits.replace(node.bindingSpecifier, by: "var")) }
  }

  /// Instead of a comma: the next property in a declaration with the same words.
  private func split(at index: Int, _ wrapper: String?) {
    let bindings = Array(node.bindings)
    guard let comma = bindings[index - 1].trailingComma else { return }
    let specifier = wrapper == nil ? node.bindingSpecifier.text : "var"
    let others = node.attributes.filter { element in
      element.as(AttributeSyntax.self).map { $0.attributeName.trimmedDescription != "objc" } ?? true
    }
    let words =
      others.map(\.trimmedDescription) + [wrapper].compactMap(\.self)
      + node.modifiers.filter { $0.name.text != "dynamic" }.map(\.trimmedDescription) + [specifier]
    let prefix = words.joined(separator: " ") + " "
    let start = comma.textRange.lowerBound
    let next = bindings[index].textRange.lowerBound
    let newline = file.source.newline + file.source.indentation(at: node.textRange.lowerBound)
    let between = comma.textRange.upperBound..<next
    if file.source.isBlank(between) {
      edits.append(Edit(start..<next, newline + prefix))
      return
    }
    let lineStart = file.source.lineStart(at: next)
    if lineStart >= between.lowerBound, file.source.isBlank(lineStart..<next) {
      edits.append(.delete(comma.textRange))
      edits.append(Edit(lineStart..<next, file.source.indentation(at: node.textRange.lowerBound) + prefix))
    } else {
      // A comment before the next property goes with it.
      var end = between.lowerBound
      while Ascii.isBlank(file.source.bytes[end]) { end += 1 }
      edits.append(Edit(start..<end, newline))
      edits.append(.insert(prefix, at: next))
    }
  }

  /// `var a, b: String?`: each one needs the type.
  private func shareType(_ binding: PatternBindingSyntax, _ index: Int) {
    guard binding.typeAnnotation == nil, binding.initializer == nil else { return }
    let following = node.bindings.dropFirst(index + 1)
    guard let typed = following.first(where: { $0.typeAnnotation != nil || $0.initializer != nil }),
      let annotation = typed.typeAnnotation
    else { return }
    edits.append(
      .insert(": " + Library.renamed(annotation.type.trimmedDescription), at: binding.pattern.textRange.upperBound))
  }

  // MARK: - Types and values

  private func write(_ binding: PatternBindingSyntax, _ kind: PropertyKind) {
    let nameEnd = binding.pattern.textRange.upperBound
    let valueEnd = binding.initializer?.textRange.upperBound
    switch kind {
    case .plain: break
    case .collection: writeCollection(binding)
    case .inverse(let element, _):
      let text = ": \(Library.inverse)<\(Library.renamed(element))>"
      edits.append(Edit(nameEnd..<(valueEnd ?? binding.typeAnnotation?.textRange.upperBound ?? nameEnd), text))
    case .holder(let type, let value):
      let text = ": " + Library.renamed(type) + (value.map { " = " + Library.renamed($0) } ?? "")
      edits.append(Edit(nameEnd..<(valueEnd ?? binding.typeAnnotation?.textRange.upperBound ?? nameEnd), text))
    case .unreadableInverse:
      report(binding, "write @Persisted(originProperty: \"…\") var \(binding.name ?? ""): LinkingObjects<…>")
    case .unreadableHolder:
      report(binding, "write @Persisted var \(binding.name ?? "") with an optional type, and its uses without '.value'")
    }
  }

  /// `= List<Dog>()` becomes `: List<Dog>`; a type that is written stays.
  private func writeCollection(_ binding: PatternBindingSyntax) {
    guard let initializer = binding.initializer, let call = initializer.value.as(FunctionCallExprSyntax.self),
      call.arguments.isEmpty, call.trailingClosure == nil
    else { return }
    let nameEnd = binding.pattern.textRange.upperBound
    if let annotation = binding.typeAnnotation {
      edits.append(.delete(annotation.textRange.upperBound..<initializer.textRange.upperBound))
    } else {
      let type = call.calledExpression.textRange
      edits.append(Edit(nameEnd..<type.lowerBound, ": "))
      edits.append(.delete(type.upperBound..<initializer.textRange.upperBound))
    }
  }

  private func report(_ binding: PatternBindingSyntax, _ advice: String) {
    findings.append(Finding(.unreadableProperty, binding.textRange, advice))
  }
}
