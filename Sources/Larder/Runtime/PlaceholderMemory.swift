@_spi(Reflection) import Swift

/// Fills memory so that the runtime can copy and release it as a value of a type of which none can be made.
enum PlaceholderMemory {
  // Kinds of metadata as they are numbered in the stable ABI (`MetadataKind.def` of the Swift runtime).
  private static let structure: UInt = 0x200
  private static let tuple: UInt = 0x301
  private static let existential: UInt = 0x303
  private static let extendedExistential: UInt = 0x307

  /// Writes a placeholder of a type to memory of its size.
  static func fill<Value>(_ place: UnsafeMutablePointer<Value>) {
    let bytes = UnsafeMutableRawPointer(place)
    // All zero: references that lead nowhere, which may even be retained and released.
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<Value>.size)
    nameContents(of: Value.self, bytes)
  }

  /// Existentials say themselves what they hold: they name a type that needs no retain. Other fields stay zero; an optional existential
  /// is nil then.
  private static func nameContents(of type: Any.Type, _ place: UnsafeMutableRawPointer) {
    switch kind(of: type) {
    case existential where isOpaque(type), extendedExistential where isOpaqueExtended(type):
      place.storeBytes(of: Int.self as Any.Type, toByteOffset: 3 * MemoryLayout<UInt>.stride, as: Any.Type.self)
    case structure, tuple:
      // Option 2: a type with fields of an unknown kind is not given up.
      _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 2)) { _, offset, field, _ in
        nameContents(of: field, place + offset)
        return true
      }
    default: break
    }
  }

  private static func words(of type: Any.Type) -> UnsafePointer<UInt> {
    unsafeBitCast(type, to: UnsafePointer<UInt>.self)
  }

  private static func kind(of type: Any.Type) -> UInt { words(of: type)[0] }

  /// Returns true if values are kept in place beside their type: not those of classes and of `Error`, which are one reference.
  private static func isOpaque(_ type: Any.Type) -> Bool {
    let flags = UInt32(truncatingIfNeeded: words(of: type)[1])
    return flags & 0x8000_0000 != 0 && flags & 0x3F00_0000 == 0
  }

  /// The same of existentials with arguments, such as `any Collection<Int>`, which have their flags in a record of their own.
  private static func isOpaqueExtended(_ type: Any.Type) -> Bool {
    UnsafePointer<UInt32>(bitPattern: words(of: type)[1]).map { $0.pointee & 0xFF == 0 } ?? false
  }
}
