/// Names of classes as the schema uses them.
enum ModelNames {
  /// Text after the last dot of the type's name.
  static func name(of type: Any.Type) -> String {
    let text = _typeName(type, qualified: false)
    guard let dot = text.lastIndex(of: ".") else { return text }
    return String(text[text.index(after: dot)...])
  }
}
