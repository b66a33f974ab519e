extension MapKeyText {
  init<Key: _MapKey>(_ key: Key) {
    guard case .string(let text) = key._rlmStored(in: nil) else { misuse("'\(misuseText(key))' is no key of a map.") }
    self.text = text
  }

  func key<Key: _MapKey>() -> Key {
    guard let key = Key._rlmFromStored(.string(text), in: nil) else {
      misuse("'\(misuseText(text))' is no \(Key.self).")
    }
    return key
  }
}
