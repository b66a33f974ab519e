import LarderStorage

/// The steps of an import for each record, with all names and types settled.
struct ImportPlan: Equatable {
  /// Classes to declare; empty when the store has everything already.
  var declarations: [ClassDeclaration]
  var root: ClassPlan
}

/// The plan of the objects of one class.
struct ClassPlan: Equatable {
  var className: String
  var properties: [PropertyPlan]
  var primaryKeyIndex: Int? { properties.firstIndex(where: \.isPrimaryKey) }
}

/// The source of one property's value, and the form that it is stored in.
struct PropertyPlan: Equatable {
  indirect enum Kind: Equatable {
    case scalar(ColumnType, isOptional: Bool)
    case list(ColumnType, isOptional: Bool)
    case link(LinkPlan)
    case linkList(LinkPlan)
    /// Made of the record's own fields, or of the nested object that the source names.
    case embedded(ClassPlan, isNested: Bool)
    case embeddedList(ClassPlan)
  }

  var name: String
  var source: String
  var split: String?
  var isPrimaryKey = false
  var kind: Kind
}

/// A link that is found by the value of a property of its target.
struct LinkPlan: Equatable {
  var target: String
  var by: String
  var byType: ColumnType
  var missing: LinkMapping.Missing
  /// Links within the class being imported wait for the end of the file: the target may come later.
  var isDeferred: Bool
}

/// The reason that an import cannot begin: the mapping, the store and the file do not go together.
package struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  package var message: String
  package init(_ message: String) { self.message = message }
  package var description: String { message }
}
