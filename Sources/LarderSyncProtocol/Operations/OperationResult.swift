/// The reason why the server did not accept an operation.
public enum RefusalReason: UInt8, Hashable, Sendable, CaseIterable {
  /// The user may not write the object as it was.
  case objectBefore = 0
  /// The user may not make the object what the operation would have made it.
  case objectAfter = 1
  /// The user may not insert objects of the class.
  case insert = 2
  /// The user may not delete the object.
  case delete = 3
  /// The user may not write the property.
  case property = 4
  /// The object would be outside every subscription of its author.
  case outsideSubscriptions = 5
  /// The schema does not know the class or the property, or gives it another type.
  case schema = 6
  /// A check of the server's own did not accept it.
  case validator = 7
  /// Something is above a limit, or the server's database does not take it.
  case tooLarge = 8
}

/// The result of an operation at the server. It is how the author's device learns what its prediction has to become.
public enum OperationResult: Hashable, Sendable {
  /// It has the effect that its author predicted: an assigned value is what is read now, inserted elements come directly after the left
  /// neighbour that the operation named.
  case plain
  /// Elements were inserted, or an element moved, directly after another place than the one named; nil is the beginning of the list.
  case at(left: OperationID?)
  /// A move that a newer one of the same element beats.
  case lost
  /// Something newer decides what the property shows: the record has its whole content among the columns.
  case echo
  /// The object as a whole is not what its author predicts: the record has it whole, or says that it is deleted.
  case whole
  /// The container or the element is not there any more.
  case noop
  /// The object is not there.
  case noRow
  /// The server did not accept it.
  case refused(RefusalReason)
}

extension RefusalReason {
  /// The reason in words, for a log or a programmer.
  public var explanation: String {
    switch self {
    case .objectBefore: "The user may not change the object as it is."
    case .objectAfter: "The user may not change the object to what it would be."
    case .insert: "The user may not create such an object."
    case .delete: "The user may not delete the object."
    case .property: "The user may not change this property."
    case .outsideSubscriptions: "The object is outside of the subscriptions."
    case .schema: "The server's schema has no such class, another primary key, or another type of a value."
    case .validator: "The server's validator does not accept the object."
    case .tooLarge:
      "A key, a value, the object, or what the transaction changes is more than the server can store or a message can hold."
    }
  }
}
