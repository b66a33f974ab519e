/// Checks of inverse properties against the other classes of a schema (M-25).
enum InverseRules {
  /// Misuse unless the origin's property is a link, or a collection of links, to the class.
  static func check(_ inverse: ModelProperty, of model: ModelClass, _ names: [String: ModelClass]) {
    let place = "\(model.name).\(inverse.name)"
    guard let className = inverse.objectClass?.className(), let originName = inverse.originName else { return }
    guard let origin = names[className] else {
      misuse("Add \(className) to objectTypes: \(place) follows its links back.")
    }
    guard let property = origin.property(named: originName) else {
      misuse(
        "\(place) follows \(className).\(originName) back, which does not exist. \(origin.unknownProperty(originName))")
    }
    guard property.isObject, property.objectClass == model.type else {
      misuse("\(place) follows \(className).\(originName) back, which is no link to \(model.name).")
    }
  }
}

extension ModelClass {
  /// E-66.
  func readOnlyInverse(_ name: String) -> String {
    "\(self.name).\(name) is an inverse property and read-only; change the links it follows back instead."
  }
}
