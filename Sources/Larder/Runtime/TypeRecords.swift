import Foundation

/// The records of types that each image of the process carries, as the runtime keeps them.
///
/// Part of the stable binary interface. An image whose list has another version than those known here has no records.
enum TypeRecords {
  /// The records of every image that is loaded.
  static func sections() -> [MetadataSections] {
    let collector = Collector()
    let context = Unmanaged.passUnretained(collector).toOpaque()
    enumerateMetadataSections(
      { sections, context in
        guard let sections, let context else { return true }
        let collector = Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
        if let found = MetadataSections(sections) { collector.sections.append(found) }
        return true
      }, context)
    return collector.sections
  }

  /// The classes among an image's types that are not generic and have a superclass.
  static func classes(in sections: MetadataSections) -> [AnyClass] {
    var result: [AnyClass] = []
    var record = sections.typesStart
    while record + 4 <= sections.typesEnd {
      if let type = derivedClass(record) { result.append(type) }
      record += 4
    }
    return result
  }

  /// The class a type record names: not generic, with a superclass.
  private static func derivedClass(_ record: UnsafeRawPointer) -> AnyClass? {
    let offset = record.load(as: Int32.self)
    guard offset != 0 else { return nil }
    var descriptor = record + Int(offset & ~3)
    if offset & 3 == 1 {
      guard let target = descriptor.load(as: UnsafeRawPointer?.self) else { return nil }
      descriptor = target
    } else if offset & 3 != 0 {
      return nil
    }
    let flags = descriptor.load(as: UInt32.self)
    let isClass = flags & 0x1F == 16
    let isGeneric = flags & 0x80 != 0
    guard isClass, !isGeneric, descriptor.load(fromByteOffset: 20, as: Int32.self) != 0 else { return nil }
    let relative = descriptor.load(fromByteOffset: 12, as: Int32.self)
    guard relative != 0 else { return nil }
    let accessor = descriptor + 12 + Int(relative)
    let function = unsafeBitCast(accessor, to: MetadataAccessor.self)
    let metadata = function(0).metadata
    return unsafeBitCast(metadata, to: Any.Type.self) as? AnyClass
  }

  private final class Collector {
    var sections: [MetadataSections] = []
  }
}

/// The result of a metadata accessor: the metadata and how complete it is.
private struct MetadataResponse {
  var metadata: UnsafeRawPointer
  var state: Int
}

private typealias MetadataAccessor = @convention(thin) (Int) -> MetadataResponse

/// Start and end of one image's type records.
struct MetadataSections {
  var typesStart: UnsafeRawPointer
  var typesEnd: UnsafeRawPointer

  /// Layout of the runtime's structure: version, base, two unused words, then pairs of start and length:
  /// protocols, conformances, types. Nil for a version not known here.
  init?(_ sections: UnsafeRawPointer) {
    let version = sections.load(as: UInt.self)
    guard (3...5).contains(version) else { return nil }
    let types = sections + 4 * 8 + 2 * 16
    guard let start = types.load(as: UnsafeRawPointer?.self) else { return nil }
    let length = types.load(fromByteOffset: 8, as: Int.self)
    guard length >= 0, length < 1 << 28 else { return nil }
    typesStart = start
    typesEnd = start + length
  }
}

@_silgen_name("swift_enumerateAllMetadataSections")
private func enumerateMetadataSections(
  _ body: @convention(c) (UnsafeRawPointer?, UnsafeMutableRawPointer?) -> Bool, _ context: UnsafeMutableRawPointer?)
