import CSwiftRuntime
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

  private static let headerSize = 16
  private static let countsOffset = 8

  /// Takes over a new instance: its properties become those of a managed object.
  init?(_ prototype: ObjectBase, _ fields: [StoredField], _ properties: [ModelProperty]) {
    #if canImport(ObjectiveC)
      // Instances have another header there.
      return nil
    #else
      let inherited = StoredField.fields(of: ObjectBase.self).count
      guard fields.first?.offset == Self.headerSize, fields.count == inherited + properties.count else { return nil }
      var size = 0
      for field in fields {
        let (length, alignment) = Self.layout(of: field.type)
        guard alignment <= Self.headerSize else { return nil }
        size = max(size, field.offset + length)
      }
      for property in properties { property.accessor.clear(prototype.address) }
      let copy = UnsafeMutableRawPointer.allocate(byteCount: size - Self.headerSize, alignment: Self.headerSize)
      copy.copyMemory(from: prototype.address + Self.headerSize, byteCount: size - Self.headerSize)
      self.type = Swift.type(of: prototype)
      self.size = size
      bytes = UnsafeRawPointer(copy)
      let memory = Self.allocate(self.type, size)
      memory.advanced(by: Self.headerSize).copyMemory(from: bytes, byteCount: size - Self.headerSize)
      let counts = memory.load(fromByteOffset: Self.countsOffset, as: UInt64.self)
      soleReference = properties.allSatisfy { $0.kind == .none && $0.type != .linkingObjects } ? counts : nil
      Unmanaged<ObjectBase>.fromOpaque(memory).release()
    #endif
  }

  /// An accessor that belongs to no row yet.
  @inline(__always)
  func make() -> ObjectBase {
    let memory = Self.allocate(type, size)
    memory.advanced(by: Self.headerSize).copyMemory(from: bytes, byteCount: size &- Self.headerSize)
    return Unmanaged<ObjectBase>.fromOpaque(memory).takeRetainedValue()
  }

  /// The word of an object's reference counts.
  @inline(__always)
  static func references(to object: Unmanaged<ObjectBase>) -> UInt64 {
    object.toOpaque().load(fromByteOffset: countsOffset, as: UInt64.self)
  }

  /// Another reference to an object that has only one, which saves synchronising with other threads.
  @inline(__always)
  static func retained(_ object: Unmanaged<ObjectBase>) -> ObjectBase {
    _ = swift_nonatomic_retain(object.toOpaque())
    return object.takeRetainedValue()
  }

  @inline(__always)
  private static func allocate(_ type: ObjectBase.Type, _ size: Int) -> UnsafeMutableRawPointer {
    swift_allocObject(unsafeBitCast(type, to: UnsafeRawPointer.self), size, headerSize - 1)
  }

  private static func layout(of type: Any.Type) -> (size: Int, alignment: Int) {
    func opened<T>(_: T.Type) -> (Int, Int) { (MemoryLayout<T>.size, MemoryLayout<T>.alignment) }
    return opened(type)
  }
}
