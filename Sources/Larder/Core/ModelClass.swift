import Foundation
import LarderLocks
import LarderStorage

/// The description of a model class, found once per class and process from one prototype instance.
final class ModelClass: @unchecked Sendable {
  // Unchecked: immutable, and accessors are only changed while it is made.
  let type: ObjectBase.Type
  let name: String
  let isEmbedded: Bool
  /// The stored properties.
  let properties: [ModelProperty]
  /// Properties of type `LinkingObjects`, which store nothing; numbered after the stored ones.
  let inverses: [ModelProperty]
  let primaryKey: ModelProperty?
  private let indexByName: [String: Int]
  /// True if its objects are `DynamicObject`s, which have no wrappers.
  let isDynamic: Bool
  /// Byte offsets of all wrappers, by property number.
  let offsets: [Int]
  /// Accessors of everything but the primary key, which is written when the row is made. No array: walking one would count
  /// references for each object that is added.
  let addOrder: UnsafeMutableBufferPointer<Unmanaged<_PropertyAccessor>>
  /// The number of accessors in `addOrder`, from the first, that are of stored properties; the others are of inverses.
  let storedCount: Int
  /// The accessor of a required `Int` primary key, an `IntAccessor`.
  let integerKey: Unmanaged<_PropertyAccessor>?
  /// Number of the primary key and byte offset of its wrapper.
  let primaryKeyPlace: (index: Int32, offset: Int)?
  /// The faults of the declaration; a class with problems is in no Realm.
  let problems: [SchemaProblem]
  /// The template that makes accessors without running initialisers; nil where that is not possible.
  let template: ObjectTemplate?

  init(
    _ type: ObjectBase.Type, _ name: String, _ properties: [ModelProperty], _ inverses: [ModelProperty],
    _ template: ObjectTemplate?, isEmbedded: Bool, isDynamic: Bool = false, problems: [SchemaProblem] = []
  ) {
    self.problems = problems
    self.template = template
    self.type = type
    self.name = name
    self.isEmbedded = isEmbedded
    self.properties = properties
    self.primaryKey = properties.first(where: \.isPrimaryKey)
    self.inverses = inverses
    self.isDynamic = isDynamic
    self.offsets = isDynamic ? [] : (properties + inverses).map(\.accessor.offset)
    let added = (properties + inverses).filter { !$0.isPrimaryKey }.map { Unmanaged.passUnretained($0.accessor) }
    self.storedCount = added.count - inverses.count
    self.addOrder = .allocate(capacity: added.count)
    _ = self.addOrder.initialize(from: added)
    let primaryKey = properties.first(where: \.isPrimaryKey)
    self.integerKey = primaryKey.flatMap { $0.accessor.isInteger ? Unmanaged.passUnretained($0.accessor) : nil }
    self.primaryKeyPlace = primaryKey.map { (Int32($0.index), $0.accessor.offset) }
    var names: [String: Int] = [:]
    for property in properties {
      names[property.columnName] = property.index
    }
    for property in properties { names[property.name] = property.index }
    self.indexByName = names
  }

  deinit { addOrder.deallocate() }

  func property(named name: String) -> ModelProperty? { indexByName[name].map { properties[$0] } }

  /// A property by its number, stored or not.
  func property(_ index: Int) -> ModelProperty {
    index < properties.count ? properties[index] : inverses[index - properties.count]
  }

  func inverse(named name: String) -> ModelProperty? { inverses.first { $0.name == name } }

  /// Returns true if a property is stored or an inverse under the name.
  func declares(_ name: String) -> Bool { indexByName[name] != nil || inverse(named: name) != nil }

  /// A property with its class, for messages.
  func propertyName(_ index: Int) -> String { "\(name).\(properties[index].name)" }

  func unknownProperty(_ name: String) -> String {
    let known = properties.map(\.name).joined(separator: ", ")
    return "\(self.name) has no property '\(misuseText(name))'. Its properties are: \(known)."
  }

  var declaration: ClassDeclaration {
    ClassDeclaration(
      name: name, isEmbedded: isEmbedded, columns: properties.map(\.declaration), indexes: declaredIndexes.map(\.index))
  }
}
