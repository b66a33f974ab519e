/// Unmanaged objects whose declared defaults were looked at before `create` makes objects of their classes: it goes on with these,
/// so that each default is evaluated once per object (O-21), and what was found right is what is added.
struct PreparedObjects {
  private struct Use: Hashable {
    var type: ObjectIdentifier
    var hasKey: Bool
  }

  /// First to be used first.
  private var waiting: [Use: ArraySlice<ObjectBase>] = [:]

  /// Adds an object; `hasKey` tells whether its primary key is given, as opposed to a default.
  mutating func add(_ object: ObjectBase, hasKey: Bool) {
    waiting[Use(type: ObjectIdentifier(type(of: object)), hasKey: hasKey), default: []].append(object)
  }

  mutating func take(_ type: ObjectBase.Type, hasKey: Bool) -> ObjectBase? {
    waiting[Use(type: ObjectIdentifier(type), hasKey: hasKey)]?.popFirst()
  }
}
