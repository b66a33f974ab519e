import LarderStorage

/// The mapping from the fields of a file to the properties of a class.
package struct ImportMapping: Sendable {
  /// The class to import into, when the mapping names one.
  package var className: String?
  /// The forms of values.
  package var forms = TextForms()
  /// The properties, in order; empty means: one for each field of the file.
  package var properties: [PropertyMapping] = []
  /// Property to take as primary key besides what `properties` says.
  package var primaryKey: String?
  /// Properties to index besides what `properties` says.
  package var indexed: Set<String> = []
  /// Fields to import when `properties` is empty; nil: all.
  package var only: [String]?
  /// The mappings of single properties when `properties` does not list all of them.
  package var refinements: [PropertyMapping] = []

  package init() {}

  /// Changes what is known of one property, wherever it stands.
  package mutating func refine(_ name: String, _ change: (inout PropertyMapping) -> Void) {
    if let index = properties.firstIndex(where: { $0.name == name }) {
      change(&properties[index])
    } else if let index = refinements.firstIndex(where: { $0.name == name }) {
      change(&refinements[index])
    } else {
      refinements.append(PropertyMapping(name: name))
      change(&refinements[refinements.count - 1])
    }
  }
}

/// The source of one property's value.
package struct PropertyMapping: Sendable {
  /// Name of the property.
  package var name: String
  /// Name of the field; dots reach into nested objects.
  package var source: String
  /// Type of the value or of the elements; nil: the store's, or else what the file's values show.
  package var type: ColumnType?
  package var isOptional: Bool?
  package var isList = false
  /// Turns a string into a list by cutting it here; spaces before a piece and empty pieces are dropped.
  package var split: String?
  package var isPrimaryKey = false
  package var isIndexed = false
  package var link: LinkMapping?
  package var embedded: EmbeddedMapping?

  package init(name: String, source: String? = nil) {
    self.name = name
    self.source = source ?? name
  }
}

/// A link found through a property of the linked class.
package struct LinkMapping: Sendable {
  package enum Missing: String, Sendable, CaseIterable {
    /// A value without an object is a fault of the line.
    case error
    /// It is read as no link; in a list it is left out.
    case null
  }

  package var target: String
  /// Property of the target that holds the value; nil: its primary key.
  package var by: String?
  package var missing = Missing.error

  package init(target: String, by: String? = nil) {
    self.target = target
    self.by = by
  }
}

/// An embedded object made of fields beside it or of a nested object.
package struct EmbeddedMapping: Sendable {
  package var className: String
  package var properties: [PropertyMapping]

  package init(className: String, properties: [PropertyMapping]) {
    self.className = className
    self.properties = properties
  }
}
