import CSwiftRuntime

/// Memory of class instances as the Swift runtime lays it out: the type, a word of reference counts, and the stored properties.
///
/// Part of the stable binary interface on systems without Objective-C. What is assumed is tried out once, before it is used; where it
/// does not hold, `isKnown` is false, and instances are made by their initialisers (docs/decisions/0016).
enum ObjectMemory {
  static let headerSize = 16
  private static let countsOffset = 8

  /// True if instances are laid out as described here.
  static let isKnown: Bool = {
    #if canImport(ObjectiveC)
      return false
    #else
      return MemoryLayout<UInt>.size == 8 && Probe.passes()
    #endif
  }()

  /// Memory of an instance with only its header set, owned by the caller.
  @inline(__always)
  static func allocate(_ type: AnyClass, size: Int) -> UnsafeMutableRawPointer {
    swift_allocObject(unsafeBitCast(type, to: UnsafeRawPointer.self), size, headerSize - 1)
  }

  /// The word of an instance's reference counts.
  @inline(__always)
  static func counts<Instance: AnyObject>(of object: Unmanaged<Instance>) -> UInt64 {
    object.toOpaque().load(fromByteOffset: countsOffset, as: UInt64.self)
  }

  /// Another reference to an instance that has only one, which saves synchronising with other threads.
  @inline(__always)
  static func retainedAlone<Instance: AnyObject>(_ object: Unmanaged<Instance>) -> Instance {
    _ = swift_nonatomic_retain(object.toOpaque())
    return object.takeRetainedValue()
  }

  /// Tries out on a small class what is assumed of all.
  private final class Probe {
    var number: Int
    var text: String?

    init(_ number: Int) { self.number = number }

    static func passes() -> Bool {
      let original = Unmanaged.passRetained(make())
      defer { original.release() }
      let size = headerSize + 3 * MemoryLayout<UInt>.size
      let memory = allocate(Probe.self, size: size)
      guard header(memory) == header(original.toOpaque()), header(memory).type == typeWord else { return false }
      memory.advanced(by: headerSize)
        .copyMemory(from: original.toOpaque().advanced(by: headerSize), byteCount: size - headerSize)
      let copy = Unmanaged<Probe>.fromOpaque(memory)
      defer { copy.release() }
      let alone = counts(of: copy)
      return isCountedWhileRetained(copy, alone) && counts(of: copy) == alone
    }

    // Not inlined: an instance that never leaves its function would be made on the stack, with other counts, and a retain that meets
    // its release would be dropped with it.
    @inline(never)
    private static func make() -> Probe { Probe(41) }
    @inline(never)
    private static func retained(_ object: Unmanaged<Probe>) -> Probe { retainedAlone(object) }
    @inline(never)
    private static func isCountedWhileRetained(_ copy: Unmanaged<Probe>, _ alone: UInt64) -> Bool {
      let second = retained(copy)
      return withExtendedLifetime(second) { counts(of: copy) != alone && second.number == 41 && second.text == nil }
    }

    private static var typeWord: UInt {
      UInt(bitPattern: unsafeBitCast(Probe.self as AnyClass, to: UnsafeRawPointer.self))
    }

    private static func header(_ memory: UnsafeMutableRawPointer) -> (type: UInt, counts: UInt64) {
      (memory.load(as: UInt.self), memory.load(fromByteOffset: countsOffset, as: UInt64.self))
    }
  }
}
