import LarderStorage

/// Settles every name and type of an import from the mapping, the store's schema and the values of the file.
struct ImportPlanner {
  let schema: StoreSchema
  let mapping: ImportMapping
  /// The shapes of the file's fields; nil when the mapping says everything.
  let shapes: FieldShapes?
  /// True if fields that an existing class does not know become new properties.
  let addsProperties: Bool

  private var declared: [String: ClassDeclaration] = [:]
  private var order: [String] = []
  /// The properties of the class being imported.
  private var settled: [PropertyMapping] = []
  /// The decisions that the file does not suggest.
  private(set) var notices: [String] = []

  init(schema: StoreSchema, mapping: ImportMapping, shapes: FieldShapes?, addsProperties: Bool) {
    self.schema = schema
    self.mapping = mapping
    self.shapes = shapes
    self.addsProperties = addsProperties
  }

  /// - Throws: `ImportError` where the three do not go together.
  mutating func plan(className: String) throws -> ImportPlan {
    if let existing = schema[className], existing.isEmbedded {
      throw ImportError("'\(className)' is a class of embedded objects; import into the class that holds them")
    }
    try checkNames(className, mapping.properties + mapping.refinements)
    var properties = mapping.properties
    if properties.isEmpty {
      properties = try inferredProperties(className)
    } else {
      properties += mapping.refinements
    }
    try markKeys(&properties, className)
    settled = properties
    let root = try classPlan(className, isEmbedded: false, properties, shapes)
    let changed = order.compactMap { declared[$0] }.filter(isNew)
    return ImportPlan(declarations: changed, root: root)
  }

  /// True if the mapping leaves types open that only the file can tell.
  static func needsShapes(_ mapping: ImportMapping, className: String, schema: StoreSchema) -> Bool {
    func isOpen(_ properties: [PropertyMapping], _ known: ClassDescriptor?) -> Bool {
      properties.contains { property in
        if let embedded = property.embedded {
          return isOpen(embedded.properties, schema[embedded.className])
        }
        return property.link == nil && property.type == nil && known?.column(named: property.name) == nil
      }
    }
    return mapping.properties.isEmpty || isOpen(mapping.properties, schema[className])
  }

  private func isNew(_ declaration: ClassDeclaration) -> Bool {
    guard let known = schema[declaration.name] else { return true }
    return ClassDeclaration(known, in: schema) != declaration
  }

  private func markKeys(_ properties: inout [PropertyMapping], _ className: String) throws {
    let names = Set(properties.map(\.name))
    for name in [mapping.primaryKey].compactMap({ $0 }) + mapping.indexed.sorted() where !names.contains(name) {
      throw ImportError(
        "no property '\(name)' is imported into '\(className)'.\(Suggestion.sentence(for: name, in: properties.map(\.name)))"
      )
    }
    for index in properties.indices {
      if properties[index].name == mapping.primaryKey { properties[index].isPrimaryKey = true }
      if mapping.indexed.contains(properties[index].name) { properties[index].isIndexed = true }
    }
    let keys = properties.filter(\.isPrimaryKey).map(\.name)
    guard keys.count <= 1 else {
      throw ImportError("a class has one primary key; the mapping marks \(keys.joined(separator: ", "))")
    }
  }

  // MARK: Without a mapping

  /// The properties in the order of the file, or of the fields that are asked for; what the mapping says of single ones is laid over them.
  private mutating func inferredProperties(_ className: String) throws -> [PropertyMapping] {
    guard let shapes else { return [] }
    let known = schema[className]
    var refined = refinements(of: shapes, known)
    let used = Set(refined.flatMap { $0.embedded?.properties.map(\.source) ?? [$0.source] }.map { ByteName($0) })
    let names = propertyNames(shapes, known, besides: used)
    var properties: [PropertyMapping] = []
    for asked in mapping.only ?? shapes.names {
      // A field may also be called what its property is.
      let field = shapes.shape(asked) != nil ? asked : names.first { $1 == asked }?.key.text ?? asked
      guard shapes.shape(field) != nil else {
        let hint = Suggestion.sentence(for: field, in: shapes.names)
        throw ImportError("the file has no field '\(field)'.\(hint)")
      }
      while let index = refined.firstIndex(where: {
        ByteName.areSame($0.embedded?.properties.first?.source ?? $0.source, field)
      }) {
        properties.append(refined.remove(at: index))
      }
      guard !used.contains(ByteName(field)), !isPlace(field, in: shapes, known) else { continue }
      let name = names[ByteName(field)] ?? field
      if let known, known.column(named: name) == nil, !addsProperties {
        let hint = Suggestion.sentence(for: name, in: known.columns.map(\.name))
        throw ImportError(
          "the class '\(className)' has no property '\(name)'.\(hint) Map the field, leave it out with --only, or let it become a "
            + "property with --add-properties")
      }
      properties.append(property(field, name, shapes, className, known))
    }
    return properties + refined
  }

  /// Returns the mappings of single properties. One with the name that a field's property gets belongs to that field.
  private func refinements(of shapes: FieldShapes, _ known: ClassDescriptor?) -> [PropertyMapping] {
    var planner = self
    let names = planner.propertyNames(shapes, known, refined: [])
    return mapping.refinements.map { refinement in
      guard refinement.embedded == nil, refinement.source == refinement.name, shapes.shape(refinement.source) == nil,
        let field = names.first(where: { $1 == refinement.name })?.key.text
      else { return refinement }
      var result = refinement
      result.source = field
      return result
    }
  }

  /// The names of the properties of fields, where they are others than those of the fields.
  private mutating func propertyNames(
    _ shapes: FieldShapes, _ known: ClassDescriptor?, besides used: Set<ByteName> = [],
    refined: [PropertyMapping]? = nil
  ) -> [ByteName: String] {
    func isName(_ name: String) -> Bool { ModelName.isIdentifier(name) || known?.column(named: name) != nil }
    var taken = Set(shapes.names.filter(isName)).union((refined ?? mapping.refinements).map(\.name))
    var names: [ByteName: String] = [:]
    var kept: Set<String> = []
    for (number, field) in shapes.names.enumerated() where !used.contains(ByteName(field)) {
      // Of names that Unicode takes for the same, the first one keeps it.
      if isName(field), kept.insert(field).inserted { continue }
      guard !isPlace(field, in: shapes, known) else {
        notices.append("the column \"#\" numbers the rows, as in an export, and is left out; --rename '#=row' keeps it")
        continue
      }
      let name = ModelName.identifier(from: field, orElse: "field\(number + 1)", not: taken)
      taken.insert(name)
      names[ByteName(field)] = name
      notices.append("the field \(JSONText.quote(field)) became the property '\(name)'; --rename gives it another name")
    }
    return names
  }

  /// True if a field is the place of objects among those of their class, which exports of classes without a primary key begin with.
  private func isPlace(_ field: String, in shapes: FieldShapes, _ known: ClassDescriptor?) -> Bool {
    field == CSVText.numberColumn && shapes.names.first == field && mapping.only == nil
      && known?.column(named: field) == nil && shapes.shape(field)?.shape.isNumberedText == true
  }

  /// Throws for names that were given and that nothing could use.
  private func checkNames(_ className: String, _ properties: [PropertyMapping]) throws {
    let known = schema[className]
    if known == nil, let reason = ModelName.fault(ofClass: className) { throw ImportError(reason) }
    for property in properties where known?.column(named: property.name) == nil {
      if let reason = ModelName.fault(ofProperty: property.name) {
        let fits = ModelName.identifier(from: property.name, orElse: "field")
        throw ImportError("\(reason). Name it otherwise, as --rename '\(property.source)=\(fits)' does")
      }
    }
    for embedded in properties.compactMap(\.embedded) { try checkNames(embedded.className, embedded.properties) }
  }

  private mutating func property(
    _ field: String, _ name: String, _ shapes: FieldShapes, _ className: String, _ known: ClassDescriptor?
  ) -> PropertyMapping {
    var property = PropertyMapping(name: name, source: field)
    guard let (shape, _) = shapes.shape(field) else { return property }
    property.isList = shape.isArray
    if shape.isArray, known?.column(named: name) == nil {
      notices += [WideningNotice.ofList(name, shape)].compactMap { $0 }
    }
    let content = shape.isArray ? shape.element : shape
    // No list of embedded objects holds null.
    if content.isObject, !shape.isArray || !content.hasNulls {
      let target = known?.column(named: name)?.target.flatMap { schema[$0]?.name }
      let embedded = target ?? className + name.prefix(1).uppercased() + name.dropFirst()
      let names = propertyNames(content.fields, schema[embedded])
      var inner: [PropertyMapping] = []
      for field in content.fields.names {
        inner.append(self.property(field, names[ByteName(field)] ?? field, content.fields, embedded, schema[embedded]))
      }
      property.embedded = EmbeddedMapping(className: embedded, properties: inner)
    } else if let column = known?.column(named: name), column.type == .link, let target = column.target {
      property.link = schema[target].map { LinkMapping(target: $0.name) }
    }
    return property
  }

  // MARK: Classes

  private mutating func classPlan(
    _ name: String, isEmbedded: Bool, _ properties: [PropertyMapping], _ shapes: FieldShapes?
  ) throws -> ClassPlan {
    var declaration =
      declared[name]
      ?? schema[name].map { ClassDeclaration($0, in: schema) }
      ?? ClassDeclaration(name: name, isEmbedded: isEmbedded, columns: [])
    guard declaration.isEmbedded == isEmbedded else {
      throw ImportError(
        isEmbedded
          ? "'\(name)' is in the store as a class of its own, so its objects cannot be embedded"
          : "'\(name)' is in the store as a class of embedded objects")
    }
    if !order.contains(name) { order.append(name) }
    declared[name] = declaration
    var places = Dictionary(declaration.columns.enumerated().map { ($1.name, $0) }) { first, _ in first }
    let plans = try properties.map { property in
      let (plan, column) = try propertyPlan(property, of: name, known: schema[name], shapes)
      if let index = places[column.name] {
        declaration.columns[index] = try merge(declaration.columns[index], column, name)
      } else {
        places[column.name] = declaration.columns.count
        declaration.columns.append(column)
      }
      return plan
    }
    declared[name] = declaration
    return ClassPlan(className: name, properties: plans)
  }

  /// An existing property keeps its type; an index may be added to it.
  private func merge(_ old: ColumnDeclaration, _ new: ColumnDeclaration, _ className: String) throws
    -> ColumnDeclaration
  {
    let name = "'\(className).\(new.name)'"
    guard old.type == new.type, old.collection == new.collection, old.target == new.target else {
      throw ImportError(
        "\(name) is \(Self.describe(old)) in the store; the mapping makes it \(Self.describe(new))")
    }
    guard old.isPrimaryKey || !new.isPrimaryKey else {
      throw ImportError("\(name) is not the primary key in the store, and an import cannot make it one")
    }
    var merged = old
    merged.isIndexed = old.isIndexed || new.isIndexed
    return merged
  }

  private static func describe(_ column: ColumnDeclaration) -> String {
    let element = column.target ?? TypeName.name(of: column.type)
    return column.collection == .none ? element : "a \(column.collection) of \(element)"
  }

  // MARK: Properties

  private mutating func propertyPlan(
    _ property: PropertyMapping, of className: String, known: ClassDescriptor?, _ shapes: FieldShapes?
  ) throws -> (PropertyPlan, ColumnDeclaration) {
    var plan = PropertyPlan(
      name: property.name, source: property.source, split: property.split,
      isPrimaryKey: property.isPrimaryKey, kind: .scalar(.string, isOptional: true))
    var column = ColumnDeclaration(
      name: property.name, type: .link, collection: property.isList ? .list : .none,
      isPrimaryKey: property.isPrimaryKey, isIndexed: property.isIndexed)
    let existing = known?.column(named: property.name)
    if let embedded = property.embedded {
      plan.kind = try embeddedKind(property, embedded, shapes)
      column.target = embedded.className
      column.isOptional = !property.isList
    } else if let link = property.link {
      let target = try linkPlan(link, from: className, property.name)
      plan.kind = property.isList ? .linkList(target) : .link(target)
      column.target = link.target
      column.isOptional = !property.isList
    } else {
      try setScalar(property, existing, shapes, &plan, &column)
    }
    guard !column.isIndexed || column.collection == .none else {
      throw ImportError("'\(className).\(property.name)' cannot be indexed: only single values can")
    }
    if plan.isPrimaryKey || existing?.isPrimaryKey == true {
      plan.isPrimaryKey = true
      column.isPrimaryKey = true
      guard column.collection == .none, [.int, .string, .uuid, .objectId].contains(column.type) else {
        throw ImportError(
          "'\(className).\(property.name)' cannot be a primary key: only int, string, uuid and objectId can")
      }
    }
    return (plan, column)
  }

  private mutating func setScalar(
    _ property: PropertyMapping, _ existing: ColumnDescriptor?, _ shapes: FieldShapes?, _ plan: inout PropertyPlan,
    _ column: inout ColumnDeclaration
  ) throws {
    let seen = shapes?.shape(property.source)
    let isList = property.isList || (existing?.collection == .list)
    if let existing, existing.type == .link {
      throw ImportError("'\(property.name)' is a link in the store: the mapping must say how it is found")
    }
    if seen == nil, shapes != nil, let names = shapes?.names, !names.isEmpty {
      let hint = Suggestion.sentence(for: property.source, in: names)
      throw ImportError("the file has no field '\(property.source)' for the property '\(property.name)'.\(hint)")
    }
    let content = isList && property.split == nil ? seen?.shape.element : seen?.shape
    let total = isList ? seen?.shape.elementCount : seen?.total
    column.collection = isList ? .list : .none
    column.type = property.type ?? existing?.type ?? (property.split == nil ? content?.columnType : nil) ?? .string
    column.isOptional =
      existing?.isOptional ?? property.isOptional
      ?? (property.isPrimaryKey || property.split != nil
        ? false : content.map { $0.isOptional(of: total ?? 0) || total == 0 && !isList } ?? false)
    if property.isPrimaryKey, property.type == nil, existing == nil, column.type == .decimal128,
      content?.isText == true
    {
      // Which keeps the digits, too, and can be a key.
      column.type = .string
    }
    let isMixed = column.type == .mixed
    if isMixed { column.isOptional = false }
    let mayBeNil = column.isOptional || isMixed
    plan.kind = isList ? .list(column.type, isOptional: mayBeNil) : .scalar(column.type, isOptional: mayBeNil)
    guard let content else { return }
    if property.type != nil || existing != nil {
      notices += [WideningNotice.ofGivenType(property.name, content, column.type)].compactMap { $0 }
    } else {
      let notice = WideningNotice(
        property: property.name, shape: content, type: column.type, isPrimaryKey: property.isPrimaryKey)
      notices += [notice.text].compactMap { $0 }
    }
  }

  private mutating func embeddedKind(
    _ property: PropertyMapping, _ embedded: EmbeddedMapping, _ shapes: FieldShapes?
  ) throws -> PropertyPlan.Kind {
    let shape = shapes?.shape(property.source)?.shape
    let content = property.isList ? shape?.element : shape
    // A field of the source's name makes it a nested object; otherwise the parts are beside each other.
    let isNested = property.isList || property.source != property.name || content?.isObject == true
    let inner = try classPlan(
      embedded.className, isEmbedded: true, embedded.properties, isNested ? content?.fields : shapes)
    return property.isList ? .embeddedList(inner) : .embedded(inner, isNested: isNested)
  }

  private func linkPlan(_ link: LinkMapping, from className: String, _ property: String) throws -> LinkPlan {
    let target: ClassDeclaration
    if link.target == className {
      target = try ownDeclaration(className)
    } else if let known = schema[link.target] {
      target = ClassDeclaration(known, in: schema)
    } else {
      let hint = Suggestion.sentence(for: link.target, in: schema.classes.map(\.name))
      throw ImportError(
        "'\(className).\(property)' links to '\(link.target)', a class that the store does not have.\(hint) "
          + "Import that class first")
    }
    let found =
      link.by.map { by in target.columns.first { $0.name == by } } ?? target.columns.first(where: \.isPrimaryKey)
    guard let found else {
      throw ImportError(
        link.by.map { "the class '\(link.target)' has no property '\($0)' to find objects by" }
          ?? "the class '\(link.target)' has no primary key: say by which property its objects are found")
    }
    guard found.collection == .none, found.type != .link else {
      throw ImportError("objects of '\(link.target)' cannot be found by '\(found.name)': it holds no single value")
    }
    return LinkPlan(
      target: link.target, by: found.name, byType: found.type, missing: link.missing,
      isDeferred: link.target == className)
  }

  /// The class being imported as far as links to it need: types that the mapping or the store tells.
  private func ownDeclaration(_ className: String) throws -> ClassDeclaration {
    if let known = schema[className] { return ClassDeclaration(known, in: schema) }
    var declaration = ClassDeclaration(name: className, isEmbedded: false, columns: [])
    for property in settled where property.link == nil && property.embedded == nil && !property.isList {
      let seen = shapes?.shape(property.source)?.shape.columnType
      declaration.columns.append(
        ColumnDeclaration(
          name: property.name, type: property.type ?? seen ?? .string,
          isPrimaryKey: property.isPrimaryKey))
    }
    return declaration
  }
}
