import LarderRealmFile
import LarderStorage

/// The classes of a `.realm` file as a store declares them, and what it cannot have of them.
struct SchemaConversion {
  private(set) var declarations: [ClassDeclaration] = []
  private(set) var notices: [RealmImportReport.PropertyNotice] = []
  private let file: RealmFile

  init(_ file: RealmFile) {
    self.file = file
    for source in file.classes where Self.isCarried(source) {
      let columns = source.properties.indices.compactMap { column($0, source) }
      declarations.append(ClassDeclaration(name: source.name, isEmbedded: source.isEmbedded, columns: columns))
    }
  }

  /// Objects of asymmetric classes are on their way to a server: no program reads them.
  static func isCarried(_ source: RealmFileClass) -> Bool { !source.isAsymmetric }

  /// The version of a file that never got one is that of a new Realm.
  static func schemaVersion(of file: RealmFile) -> UInt64 { file.schemaVersion == .max ? 0 : file.schemaVersion }

  private mutating func column(_ index: Int, _ source: RealmFileClass) -> ColumnDeclaration? {
    let property = source.properties[index]
    let type = Self.type(property.type)
    let isPrimaryKey = source.primaryKey == index
    let target = property.targetIndex.map { file.classes[$0] }
    if let target, !Self.isCarried(target) {
      note(source, property, "links to '\(target.name)', which was not imported: the store does not have it")
      return nil
    }
    if let target, target.isEmbedded, property.collection == .set {
      note(source, property, "is a set of embedded objects, which a store cannot have")
      return nil
    }
    let isIndexable = type.hasIndexOrder && type != .link && property.collection == .none
    let isIndexed = property.isIndexed && !isPrimaryKey
    if isIndexed, !isIndexable { note(source, property, "(\(property.type.rawValue)) has no index in the store") }
    return ColumnDeclaration(
      name: property.name, type: type, collection: Self.collection(property.collection),
      isOptional: property.isOptional && !(type == .link && [.list, .set].contains(property.collection)),
      target: target?.name, isPrimaryKey: isPrimaryKey, isIndexed: isIndexed && isIndexable,
      isFullText: property.isFullText && type == .string && property.collection == .none)
  }

  private mutating func note(_ source: RealmFileClass, _ property: RealmFileProperty, _ why: String) {
    notices.append(.init(className: source.name, property: property.name, why: why))
  }

  static func type(_ type: RealmFileProperty.ValueType) -> ColumnType {
    switch type {
    case .int: .int
    case .bool: .bool
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .objectId: .objectId
    case .uuid: .uuid
    case .decimal: .decimal128
    case .mixed: .mixed
    case .link: .link
    }
  }

  private static func collection(_ collection: RealmFileProperty.Collection) -> CollectionKind {
    switch collection {
    case .none: .none
    case .list: .list
    case .set: .set
    case .dictionary: .map
    }
  }
}
