/// The entries of a map in memory.
struct UnmanagedMap<Value> {
  private(set) var values: [MapKeyText: Value] = [:]
  private var order: [MapKeyText]?

  /// All keys, bytewise ascending as in the store.
  var keys: [MapKeyText] {
    mutating get {
      if let order { return order }
      let made = values.keys.sorted()
      order = made
      return made
    }
  }

  subscript(key: MapKeyText) -> Value? {
    get { values[key] }
    set {
      if (values[key] == nil) != (newValue == nil) { order = nil }
      if let newValue { values[key] = .some(newValue) } else { values.removeValue(forKey: key) }
    }
  }
}
