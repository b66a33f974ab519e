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
      return "ANY \(name(step, classID)).(\(step.target.map { text(inner, $0) } ?? ""))"
    case .anyValue(let step, let test): return "ANY \(name(step, classID)) \(text(test))"
    case .compare(let left, let operation, let options, let right):
      return "\(text(left, classID)) \(operation.rawValue)\(options.text) \(text(right, classID))"
    case .quantified(let comparison):
      let words = [
        comparison.leftQuantifier?.rawValue, text(comparison.left, classID),
        comparison.operation.rawValue + comparison.options.text, comparison.rightQuantifier?.rawValue,
        text(comparison.right, classID),
      ]
      return words.compactMap { $0 }.joined(separator: " ")
    case .isWithin(_, let area):
      switch area {
      case .box: return "is in a box"
      case .polygon(let outer, _): return "is in a polygon of \(outer.count - 1) corners"
      case .circle(_, let radians): return "is within \(radians) radians"
      }
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

  func text(_ operand: BoundOperand, _ classID: ClassID) -> String {
    switch operand {
    case .constant(let value): return value.shortDescription
    case .constants(let values): return "{\(values.prefix(8).map(\.shortDescription).joined(separator: ", "))}"
    case .path(let path): return text(path, classID)
    case .reach(let reach): return text(reach, classID)
    case .aggregate(let reach, let aggregate):
      guard case .column = reach.end, let last = reach.steps.last, case .elements(let step) = last else {
        return "\(text(reach, classID)).\(aggregate.rawValue)"
      }
      let list = BoundReach(steps: Array(reach.steps.dropLast()), end: .values(step))
      let whole = text(reach, classID)
      return "\(text(list, classID)).\(aggregate.rawValue).\(whole.split(separator: ".").last ?? "")"
    case .count(let reach, let predicate):
      var target: ClassID?
      if case .values(let step) = reach.end { target = step.target }
      return "SUBQUERY(\(text(reach, classID)), $x, \(target.map { text(predicate, $0) } ?? "")).@count"
    case .arithmetic(let operation, let left, let right):
      return "(\(text(left, classID)) \(operation.written.rawValue) \(text(right, classID)))"
    case .function(let function, let inner):
      let zone = function.timeZone.map { ", '\($0)'" } ?? ""
      return "\(function.function.rawValue)(\(text(inner, classID))\(zone))"
    }
  }

  private func text(_ reach: BoundReach, _ classID: ClassID) -> String {
    var (classID, names) = (classID, [String]())
    for step in reach.steps {
      switch step {
      case .link(let link):
        names.append(name(link.column, classID))
        classID = link.target
      case .elements(let list), .element(let list, _):
        names.append(name(list, classID))
        classID = list.target ?? classID
      }
    }
    switch reach.end {
    case .objects: break
    case .column(let column, _): names.append(name(column, classID))
    case .values(let list), .element(let list, _): names.append(name(list, classID))
    }
    return names.joined(separator: ".")
  }

  private func name(_ step: ListStep, _ classID: ClassID) -> String {
    switch step.source {
    case .inverse(let origin): "@links.\(schema[origin]?.name ?? "class").\(name(step.column, origin))"
    case .mapKeys: name(step.column, classID) + ".@allKeys"
    case .list, .set, .mapValues: name(step.column, classID)
    }
  }

  func className(_ classID: ClassID) -> String { schema[classID]?.name ?? "class \(classID.rawValue)" }

  func name(_ column: ColumnID, _ classID: ClassID) -> String {
    schema[classID]?.column(column)?.name ?? "column \(column.rawValue)"
  }
}
