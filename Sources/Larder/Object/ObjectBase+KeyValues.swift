import Foundation
import LarderStorage

// Reading and writing a declared property, which no override of the key-value methods takes part in.
extension ObjectBase {
  final func declaredValue(forKey key: String) -> Any? {
    guard let property = model.property(named: key) ?? model.inverse(named: key) else { return nil }
    let value = boxedValue(property)
    return ValueConverter.isNil(value) ? nil : ValueConverter.bridged(value)
  }

  final func setDeclaredValue(_ value: Any?, forKey key: String) {
    guard let property = model.property(named: key) else { misuse(model.readOnlyInverse(key)) }
    setBoxedValue(value, property)
  }
}

extension ObjectBase {
  /// The value of a property in boxed form, typed as the property is.
  final func boxedValue(_ property: ModelProperty) -> Any {
    if isManaged {
      _ = checkedCursor()
      return property.accessor.managedValue(self)
    }
    return property.accessor.boxed(address)
  }

  final func setBoxedValue(_ value: Any?, _ property: ModelProperty) {
    let value = value ?? NSNull()
    guard isManaged else {
      if property.accessor.set(value, address) || property.accessor.setAsRead(value, address) { return }
      misuse(ValueConverter.mismatch(value, property, in: model))
    }
    let cursor = _cursorForWriting(property.index)
    orMisuse {
      try cursor.host.adding(under: .error) {
        try cursor.host.maker(.error).assign(value, property, cursor, _objectKey)
      }
    }
  }
}
