extension Persisted where Value: _Persistable {
  /// A property whose values stay on this device, in a Realm that is synced. Has no effect in others.
  @inlinable
  public init(localOnly: Bool) {
    self.init()
    if localOnly { _flags |= PersistedFlag.localOnly }
  }

  /// The value that new objects begin with, of a property whose values stay on this device.
  @inlinable
  public init(wrappedValue value: Value, localOnly: Bool) {
    self.init(wrappedValue: value)
    if localOnly { _flags |= PersistedFlag.localOnly }
  }
}

extension Persisted where Value: _UniquelyDefaulted {
  /// A value that new objects begin with, evaluated for each that nothing else gives one, of a property whose values stay on this device.
  @inlinable
  public init(wrappedValue value: @autoclosure @escaping () -> Value, localOnly: Bool) {
    self.init(declared: value)
    if localOnly { _flags |= PersistedFlag.localOnly }
  }
}
