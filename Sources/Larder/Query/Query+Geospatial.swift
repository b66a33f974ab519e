import LarderQuery

extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
  /// The object is shaped as a point that is in the area; nil is nowhere.
  public func geoWithin<U>(_ value: U) -> Query<Bool> where U: RLMGeospatial {
    Query<Bool>(.condition(.comparison(operand, .in, [], QueryOperand(value: value))))
  }
}
