import LarderStorage

/// An index over several properties that a class declares, and what is wrong with the declaration.
struct DeclaredIndex {
  let index: IndexDeclaration
  let problem: SchemaProblem?

  init(_ paths: [AnyKeyPath], isUnique: Bool, _ model: ModelClass) {
    let names = paths.map { _KeyPathTrace.names(of: $0, from: model.type) }
    let properties = names.map { $0.count == 1 ? model.property(named: $0[0]) : nil }
    index = IndexDeclaration(properties.compactMap { $0?.columnName }, isUnique: isUnique)
    let list = isUnique ? "uniqueKeys" : "compositeIndexes"
    let fix = "List stored, single-valued properties of \(model.name) that can be indexed, each once"
    if paths.isEmpty {
      problem = SchemaProblem(className: model.name, ("\(list) has an empty entry", fix))
    } else if let position = properties.firstIndex(where: { $0.map { !$0.canBeInCompositeIndex } ?? true }) {
      let name = names[position].isEmpty ? "what is not stored" : "'\(names[position].joined(separator: "."))'"
      problem = SchemaProblem(className: model.name, ("\(list) names \(name)", fix))
    } else if Set(index.properties).count < index.properties.count {
      problem = SchemaProblem(className: model.name, ("\(list) names a property twice in one entry", fix))
    } else {
      problem = nil
    }
  }
}

extension ModelProperty {
  fileprivate var canBeInCompositeIndex: Bool {
    kind == .none && ![.object, .linkingObjects, .any, .decimal128].contains(type)
  }
}

extension ModelClass {
  /// The indexes over several properties that the class declares.
  var declaredIndexes: [DeclaredIndex] {
    if isDynamic { return [] }
    let all =
      type.uniqueKeys.map { DeclaredIndex($0, isUnique: true, self) }
      + type.compositeIndexes.map { DeclaredIndex($0, isUnique: false, self) }
    var seen: Set<[String]> = []
    return all.filter { $0.problem != nil || seen.insert($0.index.properties).inserted }
  }
}

extension IndexDeclaration {
  /// The index in messages.
  func text(_ model: ModelClass) -> String {
    "\(isUnique ? "unique index" : "index") of '\(model.name)' over (\(properties.joined(separator: ", ")))"
  }
}
