import LarderStorage

/// The way a link names its object.
struct LinkNaming {
  /// The property whose value names objects of a class; nil: they are named by their place among the objects of their class, from 0.
  static func property(of entry: ClassDescriptor) -> ColumnDescriptor? {
    entry.primaryKey.flatMap { $0.isOptional ? nil : $0 }
  }
}
