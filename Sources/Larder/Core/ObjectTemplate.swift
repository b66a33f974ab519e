import LarderStorage

/// The memory of a managed object of one class, copied to make others: initialisers do not run, and no default value is made
/// only to be dropped.
///
/// Only for classes whose stored properties are all persisted: of these it is known that empty ones may be copied bytewise.
struct ObjectTemplate: @unchecked Sendable {
  // Unchecked: the memory never changes, and lives as long as the process, as classes do.
  private let type: ObjectBase.Type
  private let size: Int
  private let bytes: UnsafeRawPointer
  /// The word of an object's reference counts while it has one reference and no weak or unowned one; nil when the class's
  /// objects hold on to values (collections), and must not become objects of other rows.
  let soleReference: UInt64?

  /// Takes over a new instance: its properties become those of a managed object.
  init?(_ prototype: ObjectBase, _ fields: [StoredField], _ properties: [ModelProperty]) {
    let inherited = StoredField.fields(of: ObjectBase.self).count
    guard ObjectMemory.isKnown, fields.first?.offset == ObjectMemory.headerSize,
      fields.count == inherited + properties.count
    else { return nil }
    var size = 0
    for field in fields {
      let (length, alignment) = Self.layout(of: field.type)
      guard alignment <= ObjectMemory.headerSize else { return nil }
      size = max(size, field.offset + length)
    }
    for property in properties { property.accessor.clear(prototype.address) }
    let copy = UnsafeMutableRawPointer.allocate(
      byteCount: size - ObjectMemory.headerSize, alignment: ObjectMemory.headerSize)
    copy.copyMemory(from: prototype.address + ObjectMemory.headerSize, byteCount: size - ObjectMemory.headerSize)
    self.type = Swift.type(of: prototype)
    self.size = size
    bytes = UnsafeRawPointer(copy)
    let memory = ObjectMemory.allocate(self.type, size: size)
    memory.advanced(by: ObjectMemory.headerSize).copyMemory(from: bytes, byteCount: size - ObjectMemory.headerSize)
    let counts = ObjectMemory.counts(of: Unmanaged<ObjectBase>.fromOpaque(memory))
    soleReference = properties.allSatisfy { $0.kind == .none && $0.type != .linkingObjects } ? counts : nil
    Unmanaged<ObjectBase>.fromOpaque(memory).release()
  }

  /// An accessor that belongs to no row yet.
  @inline(__always)
  func make() -> ObjectBase {
    let memory = ObjectMemory.allocate(type, size: size)
    memory.advanced(by: ObjectMemory.headerSize).copyMemory(from: bytes, byteCount: size &- ObjectMemory.headerSize)
    return Unmanaged<ObjectBase>.fromOpaque(memory).takeRetainedValue()
  }

  private static func layout(of type: Any.Type) -> (size: Int, alignment: Int) {
    func opened<T>(_: T.Type) -> (Int, Int) { (MemoryLayout<T>.size, MemoryLayout<T>.alignment) }
    return opened(type)
  }
}
