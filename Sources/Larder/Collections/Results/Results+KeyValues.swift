extension Results {
  public func value(forKey key: String) -> Any? { CollectionKeyValues.value(of: self, forKey: key) }
  public func value(forKeyPath keyPath: String) -> Any? { CollectionKeyValues.value(of: self, forKeyPath: keyPath) }
  public func setValue(_ value: Any?, forKey key: String) {
    CollectionKeyValues.setValue(value, forKey: key, of: self)
  }
}
