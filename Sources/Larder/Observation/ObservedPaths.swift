import LarderObservation

/// Turns the key paths of observers into the columns they name (N-30 to N-35).
enum ObservedPaths {
  /// The paths that a dotted key path means; a `*` in it means every property. An unknown name is misuse, and so is one
  /// after a property that links to nothing.
  static func paths(_ keyPath: String, _ cursor: _ClassCursor) -> [DependencyPath] {
    var found: [DependencyPath] = []
    let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    follow(names[...], from: cursor, after: [], keyPath, &found)
    return found
  }

  private static func follow(
    _ names: ArraySlice<String>, from cursor: _ClassCursor, after path: DependencyPath, _ keyPath: String,
    _ found: inout [DependencyPath]
  ) {
    guard let name = names.first else { return found.append(path) }
    let rest = names.dropFirst()
    if name == "*" {
      for property in cursor.model.properties + cursor.model.inverses {
        let (step, target) = step(property, cursor)
        // A star over something that links to nothing leads nowhere, silently.
        if rest.isEmpty {
          found.append(path + [step])
        } else if let target {
          follow(rest, from: target, after: path + [step], keyPath, &found)
        }
      }
      return
    }
    guard let property = cursor.model.property(named: name) ?? cursor.model.inverse(named: name) else {
      misuse("\(cursor.model.name) has no property '\(name)' to observe (in '\(keyPath)').")
    }
    let (step, target) = step(property, cursor)
    if rest.isEmpty { return found.append(path + [step]) }
    guard let target else {
      misuse("\(cursor.model.name).\(name) holds no objects; '\(keyPath)' cannot go on from there.")
    }
    follow(rest, from: target, after: path + [step], keyPath, &found)
  }

  /// The way from an object over one of its properties, and the class it leads to, if it leads to objects.
  static func step(_ property: ModelProperty, _ cursor: _ClassCursor) -> (PathStep, _ClassCursor?) {
    guard let originName = property.originName, let origin = cursor.cursor(behind: property) else {
      let target = property.isObject ? cursor.target(property.index) : nil
      return (PathStep(cursor.classID, cursor.columns[property.index]), target)
    }
    guard let link = origin.model.property(named: originName) else {
      misuse(
        "\(cursor.model.name).\(property.name) follows \(origin.model.name).\(originName) back, which is no property.")
    }
    return (PathStep(cursor.classID, inverseOf: origin.columns[link.index], of: origin.classID), origin)
  }
}
