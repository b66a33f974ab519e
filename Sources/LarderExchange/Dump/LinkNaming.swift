import LarderStorage

/// The way an object is named where something links to it.
package struct LinkNaming {
  /// The property whose value names objects of a class; nil where they are named by a number, as their primary key may be nil or is missing:
  /// in exports the place among the objects of their class, from 0, in SQL the object's key.
  package static func property(of entry: ClassDescriptor) -> ColumnDescriptor? {
    entry.primaryKey.flatMap { $0.isOptional ? nil : $0 }
  }
}
