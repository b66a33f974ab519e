import LarderExchange
import LarderStorage

extension StoreAccess {
  /// The object whose primary key a text names.
  ///
  /// - Throws: `StorageError` when the class has none, the text does not fit its type, or no object has it.
  package static func object(
    _ entry: ClassDescriptor, primaryKey text: String, in reader: some StoreReader
  ) throws -> ObjectKey {
    guard let primary = entry.primaryKey else {
      throw StorageError(
        .unknownProperty, "The class '\(entry.name)' has no primary key; name the object by its object key.",
        className: entry.name)
    }
    let node = InputNode(.text(text), at: 0)
    let value: StoredValue
    do {
      value = try ValueConverter(nullMarkers: []).value(
        node, as: primary.type, isOptional: primary.isOptional, property: primary.name)
    } catch let fault as RecordFault {
      throw StorageError(.typeMismatch, fault.message + ".", className: entry.name, property: primary.name)
    }
    guard let key = try reader.object(entry.id, primaryKey: value) else {
      throw StorageError(
        .noSuchObject, "There is no '\(entry.name)' with \(primary.name) = \(ValueText.short(value)).",
        className: entry.name)
    }
    return key
  }
}
