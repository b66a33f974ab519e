import LarderLocks

/// Finds every model class of the process by walking the runtime's type records; nothing has to be registered.
///
/// Takes about half a millisecond; done again when an image was loaded since. Generic classes are not found.
enum ModelDiscovery {
  private struct Found {
    var imageCount = -1
    var types: [ObjectBase.Type] = []
  }

  private static let found = Lock(Found())

  /// The model classes that belong to a default schema. Those of objects that are only sent are in that of a synced store alone (Y-46).
  static func modelClasses(isSynced: Bool = false) -> [ObjectBase.Type] {
    let all = allClasses()
    return isSynced ? all : all.filter { !$0.isAsymmetric() }
  }

  private static func allClasses() -> [ObjectBase.Type] {
    let images = TypeRecords.sections()
    let known = found.withLock { $0.imageCount == images.count ? $0.types : nil }
    if let known { return known }
    let types = images.flatMap(classes).filter { $0.shouldIncludeInDefaultSchema() }
    found.withLock { $0 = Found(imageCount: images.count, types: types) }
    return types
  }

  private static func classes(in sections: MetadataSections) -> [ObjectBase.Type] {
    TypeRecords.classes(in: sections).compactMap { type in
      (type as? ObjectBase.Type).flatMap { isBaseClass($0) ? nil : $0 }
    }
  }

  static func isBaseClass(_ type: ObjectBase.Type) -> Bool {
    let baseClasses: [ObjectBase.Type] = [
      ObjectBase.self, Object.self, EmbeddedObject.self, AsymmetricObject.self, DynamicObject.self,
    ]
    return baseClasses.contains { $0 == type }
  }
}

extension ObjectBase {
  /// False for the base classes of models.
  final class var declaresModel: Bool {
    let baseClasses: [ObjectBase.Type] = [ObjectBase.self, Object.self, EmbeddedObject.self, AsymmetricObject.self]
    return !baseClasses.contains { $0 == self }
  }
}
