/// The facts of a projection's class that a query for projections needs.
protocol AnyProjection {
  static var rootType: ObjectBase.Type { get }
  /// The projection of an object of the root class.
  static func make(_ object: ObjectBase) -> Any
  var root: ObjectBase { get }
}
