/// Something of a `.realm` file that the store does not have, and why.
package struct RealmOmission: Hashable, Sendable {
  /// The reason that it was left out.
  package enum Reason: String, Hashable, Sendable, CaseIterable {
    /// A link to an object that is not in the file.
    case missingObject
    /// A link to an object of a class that was not carried.
    case unsupportedTarget
    /// An embedded object that no object holds.
    case embeddedWithoutParent
    /// An embedded object that a second object holds; it is under the first one.
    case embeddedWithTwoParents
    /// An object whose primary key another object of its class has.
    case duplicatePrimaryKey
    /// An object that is not there, since what its class requires could not be carried.
    case objectWithoutKey
    /// An element of a set that is equal to one before it.
    case equalElement
    /// A value beyond what a store holds: of size, depth or range.
    case valueTooLarge
    /// A null, or a value of a type, that the property does not take.
    case unsuitableValue
  }

  package var className: String
  /// The object's key in the `.realm` file; of a class of embedded objects as well.
  package var key: Int64
  /// Nil when the whole object was left out.
  package var property: String?
  package var reason: Reason
  /// The thing left out, as a part of a sentence.
  package var detail: String

  package init(className: String, key: Int64, property: String? = nil, reason: Reason, detail: String) {
    self.className = className
    self.key = key
    self.property = property
    self.reason = reason
    self.detail = detail
  }
}

extension RealmOmission: CustomStringConvertible {
  package var description: String {
    "\(className)\(property.map { "." + $0 } ?? "") of object \(key): \(detail)"
  }
}
