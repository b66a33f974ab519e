import LarderStorage

/// Writes bound predicates and paths with the names of a schema.
struct PredicateDescription {
  let schema: StoreSchema

  func text(_ predicate: BoundPredicate, _ classID: ClassID) -> String {
    switch predicate {
    case .constant(let answer): return answer ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let children): return joined(children, " AND ", classID, empty: "TRUEPREDICATE")
    case .or(let children): return joined(children, " OR ", classID, empty: "FALSEPREDICATE")
    case .not(let child): return "NOT (\(text(child, classID)))"
    case .value(let column, let test): return "\(name(column, classID)) \(text(test))"
    case .isObject(let keys): return "SELF IN {\(keys.count) objects}"
    case .through(let step, let inner, _): return "\(name(step.column, classID)).(\(text(inner, step.target)))"
    case .anyElement(let step, let inner):
      return "ANY \(name(step.column, classID)).(\(step.target.map { text(inner, $0) } ?? ""))"
    case .anyValue(let step, let test): return "ANY \(name(step.column, classID)) \(text(test))"
    case .compare(let left, let operation, let options, let right):
      return "\(text(left, classID)) \(operation.rawValue)\(options.text) \(text(right, classID))"
    }
  }

  private func joined(_ children: [BoundPredicate], _ word: String, _ classID: ClassID, empty: String) -> String {
    guard !children.isEmpty else { return empty }
    return children.map { child in
      let text = text(child, classID)
      switch child {
      case .and, .or: return "(\(text))"
      default: return text
      }
    }.joined(separator: word)
  }

  private func text(_ test: ValueTest) -> String {
    let values = test.values.prefix(8).map(\.shortDescription).joined(separator: ", ")
    let more = test.values.count > 8 ? ", …" : ""
    let isGroup = test.operation == .in || test.operation == .between
    return "\(test.operation.rawValue)\(test.options.text) " + (isGroup ? "{\(values)\(more)}" : values)
  }

  func text(_ path: BoundPath, _ classID: ClassID) -> String {
    var (classID, names) = (classID, [String]())
    for link in path.links {
      names.append(name(link.column, classID))
      classID = link.target
    }
    return (names + [name(path.column, classID)]).joined(separator: ".")
  }

  private func text(_ operand: BoundOperand, _ classID: ClassID) -> String {
    switch operand {
    case .constant(let value): return value.shortDescription
    case .path(let path): return text(path, classID)
    case .aggregate(let links, let step, let aggregate, let element):
      let list = text(BoundPath(links: links, column: step.column, type: .link), classID)
      let end = element.flatMap { path in step.target.map { "." + text(path, $0) } } ?? ""
      return "\(list).\(aggregate.rawValue)\(end)"
    case .count(let links, let step, let predicate):
      let list = text(BoundPath(links: links, column: step.column, type: .link), classID)
      return "SUBQUERY(\(list), $x, \(step.target.map { text(predicate, $0) } ?? "")).@count"
    }
  }

  func name(_ column: ColumnID, _ classID: ClassID) -> String {
    schema[classID]?.column(column)?.name ?? "column \(column.rawValue)"
  }
}
