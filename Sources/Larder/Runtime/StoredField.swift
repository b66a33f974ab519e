@_spi(Reflection) import Swift

/// A stored property of a class as the runtime knows it.
struct StoredField {
  var name: String
  var offset: Int
  var type: Any.Type

  /// All stored properties, superclasses first, in the order of declaration. About 10 us.
  static func fields(of type: AnyClass) -> [StoredField] {
    var result: [StoredField] = []
    // Option 1: the type is a class.
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, offset, fieldType, _ in
      var text = String(cString: name)
      if text.hasPrefix("_") { text.removeFirst() }
      result.append(StoredField(name: text, offset: offset, type: fieldType))
      return true
    }
    return result
  }
}
