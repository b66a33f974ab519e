/// What a query for projections needs to know of their class.
protocol AnyProjection {
  static var rootType: ObjectBase.Type { get }
  /// The projection of an object of the root class.
  static func make(_ object: ObjectBase) -> Any
  var root: ObjectBase { get }
}
